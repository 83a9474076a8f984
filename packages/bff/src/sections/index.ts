export {
  countSections,
  FRESH_SECTION,
  isDegraded,
  MISSING_SECTION,
  Section,
  sectionOf,
} from './section.ts'
