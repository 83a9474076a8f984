/** As the check of `search_availability.rooms_left` has it: beyond, every night counts as free. */
export const KNOWN_NIGHTS_MAX = 1_000
