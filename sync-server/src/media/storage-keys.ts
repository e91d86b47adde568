/** The storage keys of a file and its cover. */
export const fileKey = (id: string): string => `media/${id}`;
export const coverKey = (id: string): string => `covers/${id}`;
