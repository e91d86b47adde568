/** Serves the contract's account procedures: each authenticates the caller and calls the feature. */
import { implement, type Router } from '@orpc/server';
import { serverContract } from '@parley/contract';
import {
  type Access,
  type DeviceRegistry,
  type AccountViewReader,
  type Confirmation,
  type Deletion,
  type SignedInDevice,
  listKnownRows,
  type SignIn,
  type SignOut,
} from '../../account/index.ts';
import type { Database } from '../../db/client.ts';
import type { School } from '../../school/index.ts';
import { createAuthenticateCaller } from './admin-caller.ts';
import type { Admit, RequestContext } from './admission.ts';

export interface AccountRouteParts {
  db: Database;
  accounts: DeviceRegistry;
  admit: Admit;
  signIn: SignIn;
  signOut: SignOut;
  access: Access;
  confirmation: Confirmation;
  deletion: Deletion;
  views: AccountViewReader;
  school: Pick<School, 'listAssignments' | 'isMailWritten'>;
}

type AccountRoutes = Router<Pick<typeof serverContract, 'account'>, RequestContext>;

export function createAccountRoutes(parts: AccountRouteParts): AccountRoutes {
  const { db, accounts, admit, signIn, signOut, access, confirmation, deletion, views, school } = parts;
  const { account } = implement(serverContract).$context<RequestContext>();
  const updateAndView = async (context: RequestContext, work: (userId: string) => Promise<void>) => {
    const device = await admit(context);
    await work(device.userId);
    return views.forDevice(device);
  };
  const authenticateCaller = createAuthenticateCaller(admit);
  const optionalDevice = ({ authorization }: RequestContext): Promise<SignedInDevice | null> =>
    accounts.tryAuthenticate(authorization);

  return {
    account: {
      requestSignIn: account.requestSignIn.handler(async ({ input: { email, requestId = null }, context }) => {
        const device = await accounts.identify(context.authorization);
        const { address } = context;
        const requested = await signIn.request({
          email,
          address,
          device,
          knownBrowserMark: undefined,
          language: context.language,
          request: { id: requestId },
        });
        return { ...requested, isMailWritten: school.isMailWritten };
      }),
      signIn: account.signIn.handler(async ({ input, context }) =>
        signIn.signInWithCode(input, await optionalDevice(context), await accounts.identify(context.authorization)),
      ),
      signInByLink: account.signInByLink.handler(async ({ input, context }) =>
        signIn.signInWithLink(input, await optionalDevice(context)),
      ),
      whoseLink: account.whoseLink.handler(async ({ input }) => ({ email: await signIn.readEmailOfLink(input.link) })),
      view: account.view.handler(async ({ input, context }) =>
        views.forDevice(await admit(context), { timeZone: input?.timeZone, language: context.language }),
      ),
      assignments: account.assignments.handler(async ({ context }) =>
        school.listAssignments((await admit(context)).userId),
      ),
      erased: account.erased.handler(async ({ input, context }) => {
        await admit(context);
        return { userIds: await deletion.listErased(input.userIds) };
      }),
      knownRows: account.knownRows.handler(async ({ input, context }) => {
        const { userId } = await admit(context);
        return { ids: await listKnownRows(db, { userId, ids: input.ids }) };
      }),
      requestAccess: account.requestAccess.handler(({ context }) => updateAndView(context, access.request)),
      signOut: account.signOut.handler(async ({ context }) => {
        const device = await admit(context);
        await signOut.signOutDevice(device);
        return { deviceId: device.deviceId };
      }),
      requestConfirmation: account.requestConfirmation.handler(async ({ context }) => {
        await confirmation.request(await authenticateCaller(context));
        return { isMailWritten: school.isMailWritten };
      }),
      confirm: account.confirm.handler(async ({ input, context }) => {
        await confirmation.confirm(await authenticateCaller(context), input.code);
        return {};
      }),
      requestDeletion: account.requestDeletion.handler(async ({ context }) => {
        const device = await admit(context);
        await confirmation.require(device);
        await deletion.request(device.userId);
        return views.forDevice(device);
      }),
      withdrawDeletion: account.withdrawDeletion.handler(({ context }) => updateAndView(context, deletion.withdraw)),
    },
  };
}
