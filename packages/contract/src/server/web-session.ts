/** How a page of the server signs a browser in and out. The session is a cookie that no script can read. */
import { z } from 'zod';
import { Email, SignInCode, SignInRequestId } from './account.ts';
import { publicBase } from './base.ts';

/** Where the server serves the admin panel. */
export const ADMIN_PANEL_PATH = '/admin';

export const webSessionContract = {
  requestSignIn: publicBase
    .route({ method: 'POST', path: '/v1/web/request-sign-in', summary: 'A message with a code and a link, for a page' })
    .input(z.strictObject({ email: Email, requestId: SignInRequestId.optional() }))
    .output(
      z.strictObject({
        requestId: SignInRequestId,
        /** Whether the e-mail is only written to a folder of the server, because no mail server is configured. */
        isMailWritten: z.boolean(),
      }),
    ),
  signIn: publicBase
    .route({ method: 'POST', path: '/v1/web/sign-in', summary: 'Sign this browser in with the code' })
    .input(z.strictObject({ email: Email, code: SignInCode, requestId: SignInRequestId }))
    .output(z.strictObject({ isAdmin: z.boolean() })),
  signOut: publicBase
    .route({ method: 'POST', path: '/v1/web/sign-out', summary: 'Sign this browser out' })
    .input(z.strictObject({}))
    .output(z.strictObject({})),
};
