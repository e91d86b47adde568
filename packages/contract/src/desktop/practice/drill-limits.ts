/** The limits of a drill, which the router needs without the schemas. */
export const MAX_DRILL_CHARACTERS: number = 4_000;
