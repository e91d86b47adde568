/** Where every procedure between renderer and host starts: the shared error codes. */
import { oc } from '@orpc/contract';
import { contractErrors } from '../errors.ts';

export const base = oc.errors(contractErrors);
