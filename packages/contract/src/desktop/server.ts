/** Which sync server this device speaks to. Another server is another account space. */
import { z } from 'zod';
import { base } from './base.ts';

/** `environment`: whoever started the app has said so, and it cannot be changed here. `build`: the one that this app came with. */
export const SERVER_ORIGINS = ['environment', 'setting', 'build'] as const;

export const ServerChoice = z.object({
  /** Null: none, and nothing leaves this device. */
  url: z.string().nullable(),
  /** Null: nobody has said which. */
  from: z.enum(SERVER_ORIGINS).nullable(),
});
export type ServerChoice = z.infer<typeof ServerChoice>;

/** As it was typed; `https://` may be left out. */
const TypedAddress = z.object({ url: z.string().max(400) });

export const serverChoiceContract = {
  read: base.input(z.void()).output(ServerChoice),
  /** Asks who is at the address. Changes nothing. */
  check: base.input(TypedAddress).output(z.object({ url: z.string(), version: z.string().nullable() })),
  /**
   * Speaks to another server from now on, or to none. What was not sent to the former one is sent first, if it can be reached. Then an account
   * with an address stays behind with what it has not sent, until its owner signs in to it again; work of nobody's account comes along.
   */
  change: base.input(z.object({ url: z.string().max(400).nullable() })).output(ServerChoice),
};
