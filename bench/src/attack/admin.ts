/** An admin of the server under attack, signed in on a device and in a browser, by the e-mails that the server writes. */
import { randomUUID } from 'node:crypto';
import { DeviceCredentials } from '@parley/contract';
import { z } from 'zod';
import { type Answer, call } from './call.ts';
import { mailAfter } from './outbox.ts';
import type { Target } from './target.ts';

/** The headers of each. */
export interface Admin {
  device: Record<string, string>;
  browser: Record<string, string>;
}

const SignedIn = z.object({ credentials: DeviceCredentials });
const Asked = z.object({ requestId: z.string() });
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

export const signInAdmin = async (target: Target, email: string): Promise<Admin> => ({
  device: await signInDevice(target, email),
  browser: await signInBrowser(target, email),
});

async function signInDevice(target: Target, email: string): Promise<Record<string, string>> {
  let requestId = '';
  const { code } = await mailAfter(target, async () => {
    const { text } = await call(target, { path: '/v1/account/request-sign-in', body: { email } });
    ({ requestId } = Asked.parse(JSON.parse(text)));
  });
  const device = { deviceId: randomUUID(), name: 'Attack', platform: 'other', timeZone: 'UTC' };
  const { text } = await call(target, { path: '/v1/account/sign-in', body: { ...device, email, code, requestId } });
  return { authorization: `Bearer ${SignedIn.parse(JSON.parse(text)).credentials.token}` };
}

async function signInBrowser(target: Target, email: string): Promise<Record<string, string>> {
  const jar = new Map<string, string>();
  const headers = (): Record<string, string> => ({
    ...OWN_PAGE,
    cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
  });
  const keepCookies = (answer: Answer): Answer => {
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    return answer;
  };
  const open = async (path: string): Promise<Answer> => keepCookies(await call(target, { path, headers: headers() }));
  const submit = async (page: Answer, action: string, fields: Record<string, string> = {}): Promise<void> => {
    const body = new URLSearchParams({ ...hiddenFields(page.text, action), ...fields }).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = keepCookies(await call(target, { path: action, headers: { ...headers(), ...type }, body }));
    if (answer.status >= 400) throw new Error(`${action} was answered ${answer.status}`);
  };
  const page = await open('/sign-in');
  const { link } = await mailAfter(target, () => submit(page, '/sign-in/request', { email }));
  await submit(await open(`/sign-in?link=${link ?? ''}`), '/sign-in');
  return headers();
}

/** Of the form that goes to `action`. */
function hiddenFields(text: string, action: string): Record<string, string> {
  const forms = [...text.matchAll(/<form method="post" action="([^"]+)">(.*?)<\/form>/gs)];
  const form = forms.find(([, to]) => to === action)?.[2] ?? '';
  const fields = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)" ?\/?>/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [String(name), String(value)]));
}
