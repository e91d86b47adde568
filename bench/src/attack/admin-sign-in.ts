/** Signs an admin in on a device and in a browser, with the e-mails that the server under attack writes. */
import { randomUUID } from 'node:crypto';
import { DeviceCredentials } from '@parley/contract';
import { z } from 'zod';
import { type HttpResponse, sendRequest } from './http-request.ts';
import { waitForMail } from './mail-outbox.ts';
import type { Target } from './target.ts';

/** The request headers of each session. */
export interface Admin {
  device: Record<string, string>;
  browser: Record<string, string>;
}

const SignedIn = z.object({ credentials: DeviceCredentials });
const SignInRequested = z.object({ requestId: z.string() });
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

export const signInAdmin = async (target: Target, email: string): Promise<Admin> => ({
  device: await signInDevice(target, email),
  browser: await signInBrowser(target, email),
});

async function signInDevice(target: Target, email: string): Promise<Record<string, string>> {
  let requestId = '';
  const { code } = await waitForMail(target, async () => {
    const { text } = await sendRequest(target, { path: '/v1/account/request-sign-in', body: { email } });
    ({ requestId } = SignInRequested.parse(JSON.parse(text)));
  });
  const device = { deviceId: randomUUID(), name: 'Attack', platform: 'other', timeZone: 'UTC' };
  const { text } = await sendRequest(target, {
    path: '/v1/account/sign-in',
    body: { ...device, email, code, requestId },
  });
  return { authorization: `Bearer ${SignedIn.parse(JSON.parse(text)).credentials.token}` };
}

async function signInBrowser(target: Target, email: string): Promise<Record<string, string>> {
  const cookies = new Map<string, string>();
  const headers = (): Record<string, string> => ({
    ...OWN_PAGE,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  const keepCookies = (answer: HttpResponse): HttpResponse => {
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
  const open = async (path: string): Promise<HttpResponse> =>
    keepCookies(await sendRequest(target, { path, headers: headers() }));
  const submit = async (page: HttpResponse, action: string, fields: Record<string, string> = {}): Promise<void> => {
    const body = new URLSearchParams({ ...hiddenFields(page.text, action), ...fields }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = keepCookies(await sendRequest(target, { path: action, headers: { ...headers(), ...type }, body }));
    if (answer.status >= 400) throw new Error(`${action} responded with ${answer.status}`);
  };
  const page = await open('/sign-in');
  const { link } = await waitForMail(target, () => submit(page, '/sign-in/request', { email }));
  await submit(await open(`/sign-in?link=${link ?? ''}`), '/sign-in');
  return headers();
}

/** Returns the hidden fields of the form that submits to `action`. */
function hiddenFields(text: string, action: string): Record<string, string> {
  const forms = [...text.matchAll(/<form method="post" action="([^"]+)">(.*?)<\/form>/gs)];
  const form = forms.find(([, to]) => to === action)?.[2] ?? '';
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)" ?\/?>/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [String(name), String(value)]));
}
