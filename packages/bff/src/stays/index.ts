export {
  Occupancy,
  type RequestedStay,
  readOccupancy,
  readStay,
  StayQuery,
} from './stay-query.ts'
