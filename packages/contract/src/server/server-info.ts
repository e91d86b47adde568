/** A server's public description of itself, because the address that a learner typed may belong to something else. */
import { z } from 'zod';
import { publicBase } from './base.ts';

/** A newer server may add fields. */
export const ServerInfo = z.object({
  product: z.literal('parley'),
  /** The same at every address and after every restore; older servers have none. It is public, so it proves nothing. */
  id: z.uuid().nullable().optional(),
  /** The server's program version; null when it is not configured. */
  version: z.string().max(80).nullable(),
  /** The versions of the sync protocol that it supports. */
  protocols: z.object({ oldest: z.number().int(), newest: z.number().int() }),
});
export type ServerInfo = z.infer<typeof ServerInfo>;

export const SERVER_INFO_PATH = '/v1/server';

export const serverInfoContract = {
  about: publicBase
    .route({ method: 'GET', path: SERVER_INFO_PATH, summary: 'Who this server is' })
    .input(z.strictObject({}).optional())
    .output(ServerInfo),
};
