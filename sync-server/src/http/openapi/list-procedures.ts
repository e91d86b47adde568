/** Lists the procedures of the server's contract with the routes that they declare. */
import { traverseContractProcedures } from '@orpc/server';
import { type ProcedureMeta, serverContract } from '@parley/contract';

export interface DeclaredProcedure {
  method: string;
  path: string;
  caller: ProcedureMeta['caller'];
}

export function listProcedures(): DeclaredProcedure[] {
  const procedures: DeclaredProcedure[] = [];
  traverseContractProcedures({ router: serverContract, path: [] }, ({ contract, path }) => {
    const { route, meta } = contract['~orpc'];
    if (route.method === undefined || route.path === undefined)
      throw new Error(`the procedure ${path.join('.')} declares no route`);
    procedures.push({ method: route.method, path: route.path, caller: (meta as ProcedureMeta).caller });
  });
  return procedures;
}
