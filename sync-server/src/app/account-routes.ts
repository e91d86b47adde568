/** The contract's calls about an account, and those of admins: who asks, then the feature that answers. */
import { implement, type Router } from '@orpc/server';
import { serverContract } from '@parley/contract';
import {
  type Access,
  type Accounts,
  type AccountViews,
  ADMIN_FOR_MS,
  type Administration,
  type Caller,
  type Confirmation,
  type Deletion,
  type SignedInDevice,
  type SignIn,
  type SignOut,
} from '../account/index.ts';
import type { Admit, CallContext } from './router.ts';

export interface AccountRouteParts {
  accounts: Accounts;
  admit: Admit;
  signIn: SignIn;
  signOut: SignOut;
  access: Access;
  confirmation: Confirmation;
  deletion: Deletion;
  views: AccountViews;
  administration: Administration;
}

type AccountRoutes = Router<Pick<typeof serverContract, 'account' | 'admin'>, CallContext>;

export function createAccountRoutes(parts: AccountRouteParts): AccountRoutes {
  const { accounts, admit, signIn, signOut, access, confirmation, deletion, views, administration } = parts;
  const { account, admin } = implement(serverContract).$context<CallContext>();
  const viewAfter = async (context: CallContext, work: (userId: string) => Promise<void>) => {
    const device = await admit(context);
    await work(device.userId);
    return views.ofDevice(device);
  };
  /** A device by its token, or a browser by its session. */
  const callerOf = async (context: CallContext): Promise<Caller> => {
    if (context.authorization !== undefined) return admit(context);
    const { id, userId } = await context.webSession();
    return { userId, sessionId: id };
  };
  /** Whose account is an admin's at this moment, and who has proved its address within the last hours. */
  const requireAdmin = async (context: CallContext): Promise<Caller> => {
    const caller = await callerOf(context);
    await access.requireAdmin(caller.userId);
    await confirmation.require(caller, ADMIN_FOR_MS);
    return caller;
  };
  const bearerOf = ({ authorization }: CallContext): Promise<SignedInDevice | null> =>
    accounts.recognise(authorization);

  return {
    account: {
      requestSignIn: account.requestSignIn.handler(async ({ input: { email, requestId = null }, context }) => {
        const device = await accounts.recall(context.authorization);
        const { address } = context;
        return {
          requestId: await signIn.request({ email, address, device, mark: undefined, request: { id: requestId } }),
        };
      }),
      signIn: account.signIn.handler(async ({ input, context }) =>
        signIn.withCode(input, await bearerOf(context), await accounts.recall(context.authorization)),
      ),
      signInByLink: account.signInByLink.handler(async ({ input, context }) =>
        signIn.withLink(input, await bearerOf(context)),
      ),
      whoseLink: account.whoseLink.handler(async ({ input }) => ({ email: await signIn.whoseLink(input.link) })),
      view: account.view.handler(async ({ input, context }) => views.ofDevice(await admit(context), input?.timeZone)),
      requestAccess: account.requestAccess.handler(({ context }) => viewAfter(context, access.request)),
      signOut: account.signOut.handler(async ({ context }) => {
        const device = await admit(context);
        await signOut.device(device);
        return { deviceId: device.deviceId };
      }),
      requestConfirmation: account.requestConfirmation.handler(async ({ context }) => {
        await confirmation.request(await callerOf(context));
        return {};
      }),
      confirm: account.confirm.handler(async ({ input, context }) => {
        await confirmation.confirm(await callerOf(context), input.code);
        return {};
      }),
      requestDeletion: account.requestDeletion.handler(async ({ context }) => {
        const device = await admit(context);
        await confirmation.require(device);
        await deletion.request(device.userId);
        return views.ofDevice(device);
      }),
      withdrawDeletion: account.withdrawDeletion.handler(({ context }) => viewAfter(context, deletion.withdraw)),
    },
    admin: {
      users: admin.users.handler(async ({ input, context }) => {
        await requireAdmin(context);
        return administration.users(input);
      }),
      audit: admin.audit.handler(async ({ input, context }) => {
        await requireAdmin(context);
        return administration.audit(input);
      }),
      grantAccess: admin.grantAccess.handler(async ({ input: { userId, reason = null }, context }) => {
        await access.grant({ actorId: (await requireAdmin(context)).userId, subjectId: userId, reason });
        return {};
      }),
      revokeAccess: admin.revokeAccess.handler(async ({ input: { userId, reason }, context }) => {
        await access.revoke({ actorId: (await requireAdmin(context)).userId, subjectId: userId, reason });
        return {};
      }),
      setAdmin: admin.setAdmin.handler(async ({ input: { userId, isAdmin, reason }, context }) => {
        const caller = await requireAdmin(context);
        await confirmation.require(caller);
        await access.setAdmin({ actorId: caller.userId, subjectId: userId, isAdmin, reason });
        return {};
      }),
    },
  };
}
