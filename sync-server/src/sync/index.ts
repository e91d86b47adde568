export { CATALOGUE_SCOPE, pull } from './pull.ts';
export { push } from './push.ts';
