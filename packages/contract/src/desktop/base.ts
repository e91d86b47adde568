/** The base of every renderer-host procedure, with the shared error codes. */
import { oc } from '@orpc/contract';
import { contractErrors } from '../error-data.ts';

export const base = oc.errors(contractErrors);
