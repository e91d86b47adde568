/** Imports one of the peers from this folder, where they are installed. */
export const load = (name) => import(name);
