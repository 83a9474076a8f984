export { crashPoint } from './crash-point.ts'
