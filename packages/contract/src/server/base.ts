/** The bases of the procedures in the server's contract; each says who may call it. */
import { oc } from '@orpc/contract';
import { contractErrors } from '../error-data.ts';

export interface ProcedureMeta {
  /** `device`: a device with its bearer token. `admin`: that, or a browser's session, of an admin. `anyone`: a caller without either. */
  caller: 'anyone' | 'device' | 'admin';
}

export const serverBase = oc.$meta<ProcedureMeta>({ caller: 'device' }).errors(contractErrors);
export const publicBase = serverBase.meta({ caller: 'anyone' });
export const adminBase = serverBase.meta({ caller: 'admin' });
