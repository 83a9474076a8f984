import { crashPoint } from '../../src/lifecycle/index.ts'

crashPoint('here')
