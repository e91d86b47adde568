/** The sync server that this device uses. Accounts belong to one server. */
import { z } from 'zod';
import { base } from './base.ts';

/** `environment`: set by an environment variable, so it cannot be changed in the app. `build`: the default of this build. */
export const SERVER_URL_SOURCES = ['environment', 'setting', 'build'] as const;

export const ServerChoice = z.object({
  /** Null when no server is configured; no data leaves this device then. */
  url: z.string().nullable(),
  /** Null if nothing sets it. */
  from: z.enum(SERVER_URL_SOURCES).nullable(),
  /** True until the learner has said where their work is kept; nothing leaves this device before. */
  mustChoose: z.boolean(),
  /** The server that this build came with, as a suggestion for the first choice. */
  suggestedUrl: z.string().nullable(),
  /** Whether anything was practised in the open profile. */
  hasWork: z.boolean(),
  /**
   * The servers whose work is on this computer too, each in a profile of its own; null means "only on this computer".
   */
  otherUrls: z.array(z.string().nullable()),
});
export type ServerChoice = z.infer<typeof ServerChoice>;

/**
 * How a server relates to this computer: `open`: it is in use now. `known`: its work is here in another profile.
 * `moved`: it is the open server at another address. `new`: anything else.
 */
export const SERVER_RELATIONS = ['open', 'known', 'moved', 'new'] as const;

export const CheckedServer = z.object({
  url: z.string(),
  version: z.string().nullable(),
  relation: z.enum(SERVER_RELATIONS),
  /** The public id that the server stated; null if it stated none. */
  serverId: z.uuid().nullable(),
});
export type CheckedServer = z.infer<typeof CheckedServer>;

/**
 * The description of a server that the learner agreed to use. The id of a `known` server was compared earlier, so it
 * may be null.
 */
export const ConfirmedServer = CheckedServer.pick({ relation: true, serverId: true });
export type ConfirmedServer = z.infer<typeof ConfirmedServer>;

/** As the learner typed it: an address, whose `https://` may be omitted, or a `parley://connect` link. */
const TypedAddress = z.object({ url: z.string().max(600) });

export const serverChoiceContract = {
  read: base.input(z.void()).output(ServerChoice),
  /** Checks which product answers at the address, without changing anything. */
  check: base.input(TypedAddress).output(CheckedServer),
  /**
   * Switches to another server, or to none. Each server has a profile of its own, so the app reopens on the other
   * profile and leaves the work of this one as it is. With `migratesData`, work that was only on this computer becomes
   * work with the server instead. The server is asked again first. If it no longer matches `confirmed`, nothing changes
   * (`server.answer_changed`). Without `confirmed`, the learner agreed to an address only, so the work of the open
   * server never goes there. If this device would permanently leave a server from which it cannot download everything,
   * nothing changes either (`server.not_downloaded`), unless the learner agreed with `abandonsUndownloaded`.
   */
  change: base
    .input(
      z.object({
        url: z.string().max(600).nullable(),
        migratesData: z.boolean().default(false),
        confirmed: ConfirmedServer.nullable().default(null),
        abandonsUndownloaded: z.boolean().default(false),
      }),
    )
    .output(ServerChoice.extend({ isReopening: z.boolean() })),
};
