/** Who a server is, told to whoever asks: a learner may have typed the address of something else. */
import { z } from 'zod';
import { serverBase } from './base.ts';

/** What a server says of itself. A newer one may say more. */
export const ServerAbout = z.object({
  product: z.literal('parley'),
  /** Of its program; null when nobody has said. */
  version: z.string().max(80).nullable(),
  /** The versions of the sync protocol that it speaks. */
  protocols: z.object({ oldest: z.number().int(), newest: z.number().int() }),
});
export type ServerAbout = z.infer<typeof ServerAbout>;

export const ABOUT_PATH = '/v1/server';

export const aboutServerContract = {
  about: serverBase
    .route({ method: 'GET', path: ABOUT_PATH, summary: 'Who this server is' })
    .input(z.strictObject({}).optional())
    .output(ServerAbout),
};
