/** The server's side of the contract: who is asking, then the feature that answers. */
import { implement } from '@orpc/server';
import { serverContract } from '@parley/contract';
import type { Accounts, SignedInDevice } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { pull, push } from '../sync/index.ts';

export interface CallContext {
  authorization: string | undefined;
  requestId: string;
}

export interface RouterParts {
  accounts: Accounts;
  db: Database;
  now: () => Date;
}

export function createRouter({ accounts, db, now }: RouterParts) {
  const contract = implement(serverContract).$context<CallContext>();
  const deviceOf = ({ authorization }: CallContext): Promise<SignedInDevice> => accounts.authenticate(authorization);
  return contract.router({
    devices: {
      register: contract.devices.register.handler(({ input }) => accounts.register(input)),
      createLinkCode: contract.devices.createLinkCode.handler(async ({ context }) =>
        accounts.createLinkCode(await deviceOf(context)),
      ),
      join: contract.devices.join.handler(({ input }) => accounts.join(input)),
    },
    sync: {
      push: contract.sync.push.handler(async ({ input, context }) => push({ db, now }, await deviceOf(context), input)),
      pull: contract.sync.pull.handler(async ({ input, context }) => pull({ db }, await deviceOf(context), input)),
    },
  });
}
