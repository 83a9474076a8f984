export { closedCheck } from '@melmastoon/testkit'
