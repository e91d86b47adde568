/** What every call of the server's contract declares. */
import { oc } from '@orpc/contract';
import { contractErrors } from '../errors.ts';

export const serverBase = oc.errors(contractErrors);
