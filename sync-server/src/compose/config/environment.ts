/** The environment variables of the server, with what `docs/configuration.md` says about each. */
import { isIP } from 'node:net';
import { Email } from '@parley/contract';
import { BUDGET_GROUPS, type CoachBudgets, isKnownTimeZone } from '@parley/domain';
import { z } from 'zod';
import { parseTrustProxy } from '../../http/addresses/trusted-proxies.ts';

const ENCODING_HINT =
  'in the password, write special characters in percent-encoding (# is %23, / is %2F, ? is %3F, @ is %40, % is %25)';

export const Environment = z.object({
  NODE_ENV: z
    .enum(['development', 'production', 'test'])
    .default('development')
    .describe(
      'In `production`, the server refuses to start with settings that are safe only in development, and names the variable.',
    ),
  HOST: z.optional(z.string()).default('127.0.0.1').describe('The address to listen on.'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4810).describe('The port to listen on.'),
  DATA_DIR: z
    .string()
    .min(1)
    .default('data/server')
    .describe('The folder for the embedded database and for files that are written in development, such as e-mails.'),
  DATABASE_URL: z
    .optional(
      z
        .string()
        .regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres://', abort: true })
        .refine(isDatabaseAddress, `must be postgres://USER:PASSWORD@HOST:PORT/DATABASE; ${ENCODING_HINT}`),
    )
    .describe(
      'A `postgres://…` address, with special characters in the password percent-encoded (`#` is `%23`). Without it, the server keeps a PGlite database in `DATA_DIR`.',
    ),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
    .default('info')
    .describe('Logs are JSON lines and never contain what a learner said.'),
  METRICS_PORT: z
    .optional(z.coerce.number().int().min(0).max(65_535))
    .describe('A separate port for Prometheus, with the path `/metrics`. Without it, nothing is measured.'),
  METRICS_HOST: z
    .optional(z.string())
    .default('127.0.0.1')
    .describe('The address to listen on for Prometheus. Keep it inside your own network.'),
  SHUTDOWN_DRAIN_S: z.coerce
    .number()
    .min(0)
    .max(300)
    .default(0)
    .describe(
      'How long, in seconds, `/readyz` returns 503 before the server closes. Behind a load balancer, make it longer than two health checks.',
    ),
  SITE_DIR: z
    .optional(z.string())
    .describe(
      'A folder with your own `privacy.md` and `terms.md` for the public site; `privacy.de.md` is shown to German readers.',
    ),
  DOWNLOADS_DIR: z
    .optional(z.string())
    .describe('A folder with installers of the app and their update files, served at `/downloads`.'),
  MEDIA_DIR: z
    .optional(z.string())
    .describe(
      'The folder for uploaded videos and for uploads in progress. Several nodes must share one. Default: `media` in `DATA_DIR`.',
    ),
  MEDIA_MAX_FILE_MB: z.coerce
    .number()
    .min(1)
    .max(5_000)
    .default(2_000)
    .describe('The maximum size of one video, in megabytes.'),
  MEDIA_MAX_TOTAL_GB: z.coerce
    .number()
    .min(0)
    .max(1_000_000)
    .default(50)
    .describe('The maximum size of all videos together, in gigabytes. Further uploads are refused.'),
  S3_BUCKET: z
    .optional(z.string().max(63))
    .describe('The bucket for videos, in Amazon S3 or a compatible service, instead of `MEDIA_DIR`.'),
  S3_ENDPOINT: z
    .optional(webAddress())
    .describe('The address of a compatible service, for example `https://minio.internal:9000`. Default: Amazon.'),
  S3_REGION: z.optional(z.string().max(60)).describe('The region of the bucket. Default: `us-east-1`.'),
  S3_ACCESS_KEY_ID: z
    .optional(z.string())
    .describe('The access key. It needs permission to read, write, list and delete in the bucket.'),
  S3_SECRET_ACCESS_KEY: z.optional(z.string()).describe('The secret of that key.'),
  TRUST_PROXY: z
    .optional(z.string().transform(parseTrustProxy))
    .describe(
      'Behind load balancers: their number (`1`) or their networks (`10.0.0.0/8,…`), so that rate limits count clients instead of the balancer.',
    ),
  PUBLIC_URL: z
    .optional(
      webAddress()
        .refine(hasNoUser, { error: 'must not contain a user name or password', abort: true })
        .refine(
          isOrigin,
          'must not contain a path: Parley needs a host name of its own, such as https://parley.example',
        ),
    )
    .describe('The public address of this server, without a path. Links in e-mails begin with it.'),
  ALLOWED_HOSTS: z
    .optional(z.string().transform(readHostNames))
    .describe(
      'More host names of this server, separated by commas, in addition to those of `PUBLIC_URL` and this machine.',
    ),
  SECRET: z
    .optional(z.string().min(32, 'must have at least 32 characters'))
    .describe(
      'At least 32 random characters, the same on every node. It seals codes, links and forms; changing it invalidates links in old e-mails.',
    ),
  PARLEY_INSECURE: z
    .optional(z.enum(['0', '1']))
    .describe('`1` lets a server that is not in production listen beyond this machine.'),
  OPENAI_API_KEY: z
    .optional(z.string())
    .describe('Enables the model coach, its voice and transcription, all from OpenAI.'),
  OPENAI_BASE_URL: z
    .optional(webAddress())
    .describe(
      'The address of any server that speaks OpenAI’s protocol, such as Ollama, llama.cpp or vLLM, to use instead of OpenAI.',
    ),
  OPENAI_MODEL: z
    .optional(z.string().max(200))
    .describe('The language model that plays the coach. Default with OpenAI: `gpt-5-mini`.'),
  OPENAI_TRANSCRIBE_MODEL: z
    .optional(z.string().max(200))
    .describe(
      'The model that transcribes, including in calls. A self-hosted server transcribes only when this is set.',
    ),
  OPENAI_VOICE_MODEL: z
    .optional(z.string().max(200))
    .describe(
      'The model that speaks the coach’s sentences. Default with OpenAI: `gpt-4o-mini-tts`; otherwise the device speaks them.',
    ),
  OPENAI_REALTIME_MODEL: z
    .optional(z.string().max(200))
    .describe('The model for calls, which listens and speaks at the same time. Default with OpenAI: `gpt-realtime`.'),
  OPENAI_FIRST_BYTE_TIMEOUT_S: z
    .optional(z.coerce.number().int().min(1).max(280))
    .describe(
      'How long, in seconds, a response may take to start. Default: 120 if the model runs on this machine or in a private network, because it may have to be loaded first.',
    ),
  LOCAL_MODELS: z
    .enum(['offer', 'off'])
    .optional()
    .describe(
      '`offer` lets learners on this machine use the models in its Ollama and LM Studio. Default: `offer` in development on a loopback `HOST`, otherwise `off`.',
    ),
  AZURE_SPEECH_KEY: z
    .optional(z.string())
    .describe('Azure Speech transcribes and scores what learners say to a model coach.'),
  AZURE_SPEECH_REGION: z
    .optional(z.string().regex(/^[a-z0-9]+$/, 'must be a region such as westeurope'))
    .describe('The region of the key, such as `westeurope`.'),
  AZURE_SPEECH_ENDPOINT: z
    .optional(address('https', 'http', 'wss', 'ws'))
    .describe('A private endpoint, to use instead of a region.'),
  AI_DAILY_LIMIT_USD: z.coerce
    .number()
    .min(0)
    .default(20)
    .describe('What AI may cost per UTC day for all learners, in US dollars. Above it, model coaches stop.'),
  AI_LEARNER_LIMITS_USD: z
    .optional(z.string().transform(readLearnerBudgets))
    .describe(
      'The part of that which one learner may cost with usage that takes no live minutes, by plan: `ANONYMOUS=0.25,FREE=1,PLUS=3`. Plans that are not listed keep their default ([operations](operations.md)).',
    ),
  AI_QUOTA: z
    .enum(['plans', 'off'])
    .optional()
    .describe('`plans` limits minutes with a model coach by plan. Default: `plans` in production, otherwise `off`.'),
  ACCESS: z
    .enum(['open', 'granted'])
    .optional()
    .describe(
      'With `granted`, learners can use model coaches once an admin has approved them; with `open`, everyone can. Default: `granted` in production, otherwise `open`.',
    ),
  ADMIN_EMAILS: z
    .optional(z.string())
    .transform(readAddresses)
    .describe(
      'Addresses, separated by commas, whose owners become admins when they sign in, unless an admin has removed them. Erasing an account erases that decision too, so take the address out when an admin leaves.',
    ),
  SMTP_URL: z
    .optional(
      z
        .string()
        .regex(/^smtps?:\/\//, { error: 'must be an address that begins with smtp:// or smtps://', abort: true })
        .refine(isMailServerAddress, `must be smtp://USER:PASSWORD@HOST:PORT; ${ENCODING_HINT}`),
    )
    .describe(
      'The mail server, as `smtps://user:password@host`, with special characters in the password percent-encoded. Without it, e-mails are written to files.',
    ),
  MAIL: z
    .optional(z.literal('files'))
    .describe('`files` writes e-mails to files in production too, where a mail server is otherwise required.'),
  MAIL_FROM: z
    .optional(z.string().regex(/@/, 'must be an address'))
    .describe('The sender, such as `Parley <hello@parley.example>`.'),
  MAIL_BOUNCES_TO: z.optional(z.email()).describe('The address that receives bounces. Default: `MAIL_FROM`.'),
  MAIL_BOUNCES_KEY: z
    .optional(z.string().min(32, 'must have at least 32 characters'))
    .describe('The key that a bounce forwarder must send to `/v1/mail/bounces` ([operations](operations.md)).'),
  MAIL_TIME_ZONE: z
    .optional(z.string().refine(isKnownTimeZone, 'must be a time zone such as Europe/Berlin'))
    .describe(
      'The time zone assumed for learners whose time zone is unknown, so that no e-mail arrives at night. Default: `UTC`.',
    ),
  STRIPE_SECRET_KEY: z
    .optional(z.string().regex(/^(sk|rk)_/, 'must be a secret key of Stripe'))
    .describe(
      'The secret key of Stripe, which sells plans: products whose metadata contain `plan: PLUS` or `plan: PRO`.',
    ),
  STRIPE_WEBHOOK_SECRET: z
    .optional(z.string().startsWith('whsec_'))
    .describe('The signing secret of the endpoint `/v1/billing/webhook`, as Stripe shows it.'),
  PAYMENTS: z
    .enum(['stripe', 'fake', 'twin', 'off'])
    // The former name of the fake, which existing configurations may still use.
    .transform((choice) => (choice === 'twin' ? 'fake' : choice))
    .optional()
    .describe(
      '`stripe`, `fake` (a local fake, never in production) or `off`. Default: Stripe when a key is set, the fake in development, otherwise off.',
    ),
});
export type Environment = z.infer<typeof Environment>;

function address(...schemes: string[]): z.ZodURL {
  const starts = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(schemes.map((scheme) => `${scheme}://`));
  return z.url({
    protocol: new RegExp(`^(${schemes.join('|')})$`),
    error: `must be an address that begins with ${starts}`,
    abort: true,
  });
}

function webAddress(): z.ZodURL {
  return address('http', 'https');
}

function isOrigin(url: string): boolean {
  return new URL(url).href === `${new URL(url).origin}/`;
}

function hasNoUser(url: string): boolean {
  const { username, password } = new URL(url);
  return `${username}${password}` === '';
}

/** A socket's address has no host, and PostgreSQL's client reads it in the same way. */
function isDatabaseAddress(text: string): boolean {
  return hasWholePassword(URL.parse(text) ?? URL.parse(text.replace('@/', '@localhost/')));
}

function isMailServerAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && url.hostname !== '' && hasWholePassword(url);
}

/** Parameters of PostgreSQL whose values may contain an `@`. */
const TEXT_PARAMETERS = ['user', 'password', 'application_name', 'fallback_application_name', 'options'];

/**
 * If a password contains an unencoded `#`, `/` or `?`, the host ends there, and the `@` before the real host comes
 * later in the address.
 */
function hasWholePassword(url: URL | null): boolean {
  if (url === null) return false;
  const parameters = [...url.searchParams].filter(([name]) => !TEXT_PARAMETERS.includes(name));
  return (
    url.hash === '' &&
    !`${url.pathname}${parameters.join()}`.includes('@') &&
    [url.username, url.password, url.pathname].every(isPercentEncoded)
  );
}

function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function readAddresses(list: string | undefined, context: z.RefinementCtx): string[] {
  const addresses = (list ?? '').split(',').filter((each) => each.trim() !== '');
  return addresses.map((each) => {
    const parsed = Email.safeParse(each);
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: `${each.trim()} is not an e-mail address` });
    return z.NEVER;
  });
}

function readLearnerBudgets(said: string, context: z.RefinementCtx): Partial<CoachBudgets> {
  const limits = said.split(',').map((each) => /^\s*([A-Z]+)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(each));
  const known = new Set<string>(BUDGET_GROUPS);
  if (limits.every((limit) => known.has(limit?.[1] ?? '')))
    return Object.fromEntries(limits.map((limit) => [limit?.[1], Number(limit?.[2])]));
  context.addIssue({
    code: 'custom',
    message: `must name plans with US dollars a day, such as FREE=1,PLUS=3; the plans are ${BUDGET_GROUPS.join(', ')}`,
  });
  return z.NEVER;
}

/** Normalises host names the way `URL` does. */
function readHostNames(list: string, context: z.RefinementCtx): string[] {
  const names = list.split(',').map((each) => each.trim());
  const read = names.flatMap((name) => {
    const url = /[/?#@\\]/.test(name) ? null : URL.parse(`http://${isIP(name) === 6 ? `[${name}]` : name}`);
    return url === null || url.port !== '' ? [] : [url.hostname];
  });
  if (read.length === names.length) return read;
  context.addIssue({
    code: 'custom',
    message:
      'must be host names without ports, with commas between them, such as ALLOWED_HOSTS=parley.internal,10.0.0.5',
  });
  return z.NEVER;
}
