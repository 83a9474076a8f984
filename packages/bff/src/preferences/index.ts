export {
  knownLocale,
  PreferenceChooser,
  type PreferenceSources,
  type Preferences,
} from './choose-preferences.ts'
