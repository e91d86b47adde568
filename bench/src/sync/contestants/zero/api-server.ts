/** The API server that Zero calls to run mutations and resolve queries. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { loadPeer } from '../../install-peers.ts';
import { type Call, CREATE_TABLE, loadModel, type Model } from './model.ts';

interface Sql {
  unsafe: (statement: string) => Promise<unknown>;
  end: () => Promise<void>;
}
interface Postgres {
  default: (url: string, options: { onnotice: () => void }) => Sql;
}
interface Adapter {
  zeroPostgresJS: (schema: unknown, sql: Sql) => unknown;
}
interface ApiRequest {
  userID: string;
  query: URLSearchParams;
  body: unknown;
}
type Transact = (work: (tx: Call<never>['tx'], name: string, args: never) => Promise<void>) => Promise<unknown>;
interface ZeroServer {
  handleMutateRequest: (
    asked: ApiRequest & { dbProvider: unknown; handler: (transact: Transact) => Promise<unknown> },
  ) => Promise<unknown>;
  handleQueryRequest: (
    asked: ApiRequest & { schema: unknown; handler: (name: string, args: unknown) => unknown },
  ) => Promise<unknown>;
}

export interface ApiServer {
  port: number;
  stop: () => Promise<void>;
}

export const USER = 'learner';

const isMutator = (name: string): name is keyof Model['mutators'] => name === 'insert' || name === 'change';

export async function startApiServer(databaseUrl: string): Promise<ApiServer> {
  const { schema, queries, mutators } = await loadModel();
  const { handleMutateRequest, handleQueryRequest } = await loadPeer<ZeroServer>('@rocicorp/zero/server');
  const { zeroPostgresJS } = await loadPeer<Adapter>('@rocicorp/zero/server/adapters/postgresjs');
  const { default: postgres } = await loadPeer<Postgres>('postgres');
  const sql = postgres(databaseUrl, { onnotice: () => undefined });
  await sql.unsafe(CREATE_TABLE);
  const dbProvider = zeroPostgresJS(schema, sql);

  const mutate = (asked: ApiRequest): Promise<unknown> =>
    handleMutateRequest({
      ...asked,
      dbProvider,
      handler: (transact) =>
        transact(async (tx, name, args) => {
          if (!isMutator(name)) throw new Error(`no such mutator: ${name}`);
          await mutators[name].fn({ tx, args });
        }),
    });
  const query = (asked: ApiRequest): Promise<unknown> =>
    handleQueryRequest({ ...asked, schema, handler: (_name, args) => queries.all.fn({ args, ctx: {} }) });

  const server: Server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://api');
    const act = pathname === '/mutate' ? mutate : query;
    json(request)
      .then((body) => act({ userID: USER, query: searchParams, body }))
      .then((answer) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)))
      .catch((error: unknown) => {
        console.error(error);
        response.writeHead(500).end();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await sql.end();
    },
  };
}
