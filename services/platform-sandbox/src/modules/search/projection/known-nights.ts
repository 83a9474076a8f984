/** What the check of `search_availability.rooms_left` admits: beyond, every night counts as free. */
export const KNOWN_NIGHTS_MAX = 1_000
