/** Imports one of the peers from here, where they are installed. */
export const load = (name) => import(name);
