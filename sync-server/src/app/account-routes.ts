/** The contract's calls about an account, and those of admins: who asks, then the feature that answers. */
import { implement, type Router } from '@orpc/server';
import { serverContract } from '@parley/contract';
import type {
  Access,
  Accounts,
  AccountViews,
  Administration,
  Deletion,
  SignedInDevice,
  SignIn,
  SignOut,
} from '../account/index.ts';
import type { Admit, CallContext } from './router.ts';

export interface AccountRouteParts {
  accounts: Accounts;
  admit: Admit;
  signIn: SignIn;
  signOut: SignOut;
  access: Access;
  deletion: Deletion;
  views: AccountViews;
  administration: Administration;
}

type AccountRoutes = Router<Pick<typeof serverContract, 'account' | 'admin'>, CallContext>;

export function createAccountRoutes(parts: AccountRouteParts): AccountRoutes {
  const { accounts, admit, signIn, signOut, access, deletion, views, administration } = parts;
  const { account, admin } = implement(serverContract).$context<CallContext>();
  const viewAfter = async (context: CallContext, work: (userId: string) => Promise<void>) => {
    const device = await admit(context);
    await work(device.userId);
    return views.ofDevice(device);
  };
  /** A device's token or a browser's session, whose account is an admin's at this moment. */
  const requireAdmin = async (context: CallContext): Promise<string> => {
    const { userId } = context.authorization === undefined ? await context.webSession() : await admit(context);
    await access.requireAdmin(userId);
    return userId;
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
      requestDeletion: account.requestDeletion.handler(({ context }) => viewAfter(context, deletion.request)),
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
        await access.grant({ actorId: await requireAdmin(context), subjectId: userId, reason });
        return {};
      }),
      revokeAccess: admin.revokeAccess.handler(async ({ input: { userId, reason }, context }) => {
        await access.revoke({ actorId: await requireAdmin(context), subjectId: userId, reason });
        return {};
      }),
      setAdmin: admin.setAdmin.handler(async ({ input: { userId, isAdmin, reason }, context }) => {
        await access.setAdmin({ actorId: await requireAdmin(context), subjectId: userId, isAdmin, reason });
        return {};
      }),
    },
  };
}
