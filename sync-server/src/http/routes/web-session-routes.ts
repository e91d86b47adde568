/**
 * Serves the contract's sign-in and sign-out of browsers. Another site's page cannot call them, because it could
 * otherwise sign a person in to the attacker's account.
 */
import { implement, type Router } from '@orpc/server';
import { serverContract } from '@parley/contract';
import type { Access, RequesterIdentifier, SignIn, WebSessions } from '../../account/index.ts';
import type { School } from '../../school/index.ts';
import type { RequestContext } from './admission.ts';

export interface WebSessionRouteParts {
  signIn: SignIn;
  webSessions: WebSessions;
  requesters: RequesterIdentifier;
  access: Pick<Access, 'requireAdmin'>;
  school: Pick<School, 'isMailWritten'>;
}

export function createWebSessionRoutes({
  signIn,
  webSessions,
  requesters,
  access,
  school,
}: WebSessionRouteParts): Router<(typeof serverContract)['web'], RequestContext> {
  const { web } = implement(serverContract).$context<RequestContext>();
  const isAdmin = (userId: string): Promise<boolean> =>
    access.requireAdmin(userId).then(
      () => true,
      () => false,
    );
  return {
    requestSignIn: web.requestSignIn.handler(async ({ input: { email, requestId = null }, context }) => {
      context.browser.assertSameOrigin();
      const { address, browser } = context;
      // An admin has an account, so the limit for newcomers does not apply to the panel.
      const { requestId: id } = await signIn.request({
        email,
        address,
        device: null,
        knownBrowserMark: browser.mark,
        language: context.language,
        request: { id: requestId },
      });
      return { requestId: id, isMailWritten: school.isMailWritten };
    }),
    signIn: web.signIn.handler(async ({ input, context: { browser, language } }) => {
      browser.assertSameOrigin();
      const { userAgent, sessionCookie: former } = browser;
      const opened = await signIn.signInBrowserWithCode(input, async (tx, signedIn) => ({
        userId: signedIn.userId,
        cookie: await webSessions.open(tx, { ...signedIn, userAgent, former, language }),
      }));
      browser.rememberSession(opened.cookie, requesters.createBrowserMark(input.email));
      return { isAdmin: await isAdmin(opened.userId) };
    }),
    signOut: web.signOut.handler(async ({ context: { browser } }) => {
      browser.assertSameOrigin();
      const session = await webSessions.read(browser.sessionCookie);
      if (session !== null) await webSessions.close(session);
      browser.forgetSession();
      return {};
    }),
  };
}
