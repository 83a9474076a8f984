/** Grows with every change of what a seed becomes, so that an older world is sown over. */
export const WORLD_VERSION = 1
