/** The environment, parsed once. Production refuses a default that is only safe in development. */
import { isIP } from 'node:net';
import { Email } from '@parley/contract';
import { BUDGET_GROUPS, COACH_BUDGETS_USD, type CoachBudgets, isKnownTimeZone } from '@parley/domain';
import { z } from 'zod';
import { isLoopbackIp } from './near-address.ts';
import { requireSafeStart } from './safe-start.ts';
import { readTrustProxy, type TrustProxy } from './trusted-proxies.ts';

/** A variable that is set to nothing, as compose files do, is not set. */
const blankIsAbsent = <Shape extends z.ZodType>(shape: Shape) =>
  z.preprocess((value) => (value === '' ? undefined : value), shape.optional());

const Environment = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  HOST: blankIsAbsent(z.string()).default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(4810),
  DATA_DIR: z.string().min(1).default('data/server'),
  DATABASE_URL: blankIsAbsent(z.string().regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Set behind a balancer, so that limits count learners and not the balancer. */
  TRUST_PROXY: blankIsAbsent(z.string().transform(readTrustProxy)),
  OPENAI_API_KEY: blankIsAbsent(z.string()),
  /** Any server that speaks OpenAI's protocol: Ollama, llama.cpp, vLLM. */
  OPENAI_BASE_URL: blankIsAbsent(z.url({ protocol: /^https?$/ })),
  OPENAI_MODEL: blankIsAbsent(z.string().max(200)),
  OPENAI_TRANSCRIBE_MODEL: blankIsAbsent(z.string().max(200)),
  OPENAI_VOICE_MODEL: blankIsAbsent(z.string().max(200)),
  OPENAI_REALTIME_MODEL: blankIsAbsent(z.string().max(200)),
  /** Seconds. A server of one's own sends nothing until its model is in memory; after five minutes Node's own client gives up. */
  OPENAI_FIRST_BYTE_TIMEOUT_S: blankIsAbsent(z.coerce.number().int().min(1).max(280)),
  AZURE_SPEECH_KEY: blankIsAbsent(z.string()),
  /** Such as `westeurope`. */
  AZURE_SPEECH_REGION: blankIsAbsent(z.string().regex(/^[a-z0-9]+$/, 'must be a region such as westeurope')),
  /** Instead of a region: a private endpoint, or a twin. */
  AZURE_SPEECH_ENDPOINT: blankIsAbsent(z.url({ protocol: /^(https?|wss?)$/ })),
  /** Whether learners on this server's own machine are offered the models that Ollama and LM Studio have there. */
  LOCAL_MODELS: z.enum(['offer', 'off']).optional(),
  /** US dollars that AI may cost in a day of UTC, over all learners. */
  AI_DAILY_LIMIT_USD: z.coerce.number().min(0).default(20),
  /** Of that, what one learner may cost with what takes no live minutes: `ANONYMOUS=0.25,FREE=1,PLUS=3`; groups left out keep their default. */
  AI_LEARNER_LIMITS_USD: blankIsAbsent(z.string().transform(readLearnerLimits)),
  /** Whether plans limit live conversation; by default only where learners are somebody's customers. */
  AI_QUOTA: z.enum(['plans', 'off']).optional(),
  /** Whether everybody may use the coaches, or whom an admin has let in. */
  ACCESS: z.enum(['open', 'granted']).optional(),
  /** Addresses, with commas between them, whose owners are admins from when they sign in. */
  ADMIN_EMAILS: blankIsAbsent(z.string())
    .transform((list) => list?.split(',') ?? [])
    .pipe(z.array(Email)),
  /** `files`: in production too, e-mails are written to files. */
  MAIL: blankIsAbsent(z.literal('files')),
  /** Where e-mails go: `smtps://user:password@host`; without it they are written to files. */
  SMTP_URL: blankIsAbsent(z.url({ protocol: /^smtps?$/ })),
  /** Such as `Parley <hello@parley.example>`. */
  MAIL_FROM: blankIsAbsent(z.string().regex(/@/, 'must be an address')),
  /** Where mail servers send back what they could not deliver, such as `bounces@parley.example`; by default to `MAIL_FROM`. */
  MAIL_BOUNCES_TO: blankIsAbsent(z.email()),
  /** What whoever hands those on to `/v1/mail/bounces` proves itself with. */
  MAIL_BOUNCES_KEY: blankIsAbsent(z.string().min(32, 'must have at least 32 characters')),
  /** Where learners are assumed to be of whom nobody knows it: nobody gets mail at night. */
  MAIL_TIME_ZONE: blankIsAbsent(z.string().refine(isKnownTimeZone, 'must be a time zone such as Europe/Berlin')),
  /** Where this server is reached from outside; links in e-mails begin with it. */
  PUBLIC_URL: blankIsAbsent(z.url({ protocol: /^https?$/ })),
  /** Further names under which it is reached, with commas between them. */
  ALLOWED_HOSTS: blankIsAbsent(z.string().transform(readHostNames)),
  STRIPE_SECRET_KEY: blankIsAbsent(z.string().regex(/^(sk|rk)_/, 'must be a secret key of Stripe')),
  /** Of the endpoint `/v1/billing/webhook`, as Stripe shows it. */
  STRIPE_WEBHOOK_SECRET: blankIsAbsent(z.string().startsWith('whsec_')),
  /** Who takes the money; by default Stripe where it has a key, in development its stand-in, else nobody. */
  PAYMENTS: z.enum(['stripe', 'twin', 'off']).optional(),
  /** Seals what this server hands out. The same on every node; when it changes, links in old e-mails are worth nothing. */
  SECRET: blankIsAbsent(z.string().min(32, 'must have at least 32 characters')),
  /** Whether others may reach a server that is not in production. */
  PARLEY_INSECURE: blankIsAbsent(z.enum(['0', '1'])),
});

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | null;
  logLevel: string;
  trustProxy: TrustProxy;
  /** Host names that it answers under, beside those of this machine. */
  allowedHosts: string[];
  isProduction: boolean;
  openAi: OpenAiConfig | null;
  azureSpeech: AzureSpeechConfig | null;
  offersLocalModels: boolean;
  aiDailyLimitUsd: number;
  aiLearnerLimitsUsd: CoachBudgets;
  countsMinutes: boolean;
  access: 'open' | 'granted';
  adminEmails: string[];
  mail: MailConfig;
  /** Where learners reach this server, without a slash at its end; null: where it listens. */
  publicUrl: string | null;
  /** Null in development: one is made and kept in the data folder. */
  secret: string | null;
  /** Null: nothing is sold. */
  payments: PaymentsConfig | null;
}

export type PaymentsConfig = { type: 'stripe'; secretKey: string; webhookSecret: string } | { type: 'twin' };

export interface MailConfig {
  /** Null: e-mails are written to files. */
  smtpUrl: string | null;
  from: string;
  /** Null: to `from`. */
  bouncesTo: string | null;
  /** Null: what comes back is not handed to this server. */
  bouncesKey: string | null;
  timeZone: string;
}

export type AzureSpeechConfig = { key: string } & ({ region: string } | { endpoint: string });

export interface OpenAiConfig {
  /** Empty for a server of one's own that wants none. */
  apiKey: string;
  /** Null: OpenAI itself. */
  baseUrl: string | null;
  model: string;
  /** Null: nothing is written down by it. */
  transcribeModel: string | null;
  /** Null: lines are spoken by the devices. */
  voiceModel: string | null;
  /** Null: nobody listens and speaks at once. */
  realtimeModel: string | null;
  /** How long the first byte of an answer may take; null: as long as is usual where it runs. */
  firstByteMs: number | null;
}

const DEFAULT_MODEL = 'gpt-5-mini';
const DEFAULT_TRANSCRIBE_MODEL = 'gpt-4o-mini-transcribe';
const DEFAULT_VOICE_MODEL = 'gpt-4o-mini-tts';
const DEFAULT_REALTIME_MODEL = 'gpt-realtime';
const DEFAULT_MAIL_FROM = 'Parley <hello@parley.invalid>';

export function readConfig(environment: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) throw new Error(`The environment is not usable:\n${z.prettifyError(parsed.error)}`);
  const { NODE_ENV, HOST, PORT, DATA_DIR, DATABASE_URL, LOG_LEVEL, TRUST_PROXY } = parsed.data;
  const { AI_DAILY_LIMIT_USD, AI_QUOTA } = parsed.data;
  const config: Config = {
    host: HOST,
    port: PORT,
    dataDir: DATA_DIR,
    databaseUrl: DATABASE_URL ?? null,
    logLevel: LOG_LEVEL,
    trustProxy: TRUST_PROXY ?? false,
    allowedHosts: allowedHostsOf(parsed.data),
    isProduction: NODE_ENV === 'production',
    openAi: openAiOf(parsed.data),
    azureSpeech: azureSpeechOf(parsed.data),
    offersLocalModels: offersLocalModels(parsed.data),
    aiDailyLimitUsd: AI_DAILY_LIMIT_USD,
    aiLearnerLimitsUsd: { ...COACH_BUDGETS_USD, ...parsed.data.AI_LEARNER_LIMITS_USD },
    payments: paymentsOf(parsed.data),
    countsMinutes: (AI_QUOTA ?? (NODE_ENV === 'production' ? 'plans' : 'off')) === 'plans',
    access: parsed.data.ACCESS ?? (NODE_ENV === 'production' ? 'granted' : 'open'),
    adminEmails: parsed.data.ADMIN_EMAILS,
    mail: mailOf(parsed.data),
    publicUrl: parsed.data.PUBLIC_URL === undefined ? null : new URL(parsed.data.PUBLIC_URL).origin,
    secret: parsed.data.SECRET ?? null,
  };
  const { MAIL, PARLEY_INSECURE } = parsed.data;
  requireSafeStart(config, { keepsMailInFiles: MAIL === 'files', isInsecureAllowed: PARLEY_INSECURE === '1' });
  return config;
}

function readLearnerLimits(said: string, context: z.RefinementCtx): Partial<CoachBudgets> {
  const limits = said.split(',').map((each) => /^\s*([A-Z]+)\s*=\s*(\d+(?:\.\d+)?)\s*$/.exec(each));
  const known = new Set<string>(BUDGET_GROUPS);
  if (limits.every((limit) => known.has(limit?.[1] ?? '')))
    return Object.fromEntries(limits.map((limit) => [limit?.[1], Number(limit?.[2])]));
  context.addIssue({
    code: 'custom',
    message: `say US dollars a day by plan, such as FREE=1,PLUS=3; there are ${BUDGET_GROUPS.join(', ')}`,
  });
  return z.NEVER;
}

/** As `URL` has them. */
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

/** The names in PUBLIC_URL and ALLOWED_HOSTS, and that at which it listens unless it listens at all. */
function allowedHostsOf({ PUBLIC_URL, ALLOWED_HOSTS, HOST }: z.infer<typeof Environment>): string[] {
  const listening = URL.parse(`http://${isIP(HOST) === 6 ? `[${HOST}]` : HOST}`)?.hostname ?? '';
  return [
    ...(PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname]),
    ...(ALLOWED_HOSTS ?? []),
    ...(['', '0.0.0.0', '[::]'].includes(listening) ? [] : [listening]),
  ];
}

function mailOf({
  MAIL,
  SMTP_URL,
  MAIL_FROM,
  MAIL_BOUNCES_TO,
  MAIL_BOUNCES_KEY,
  MAIL_TIME_ZONE,
}: z.infer<typeof Environment>): MailConfig {
  if (SMTP_URL !== undefined && MAIL_FROM === undefined)
    throw new Error('SMTP_URL is set: say from whom e-mails come in MAIL_FROM.');
  if (MAIL === 'files' && SMTP_URL !== undefined)
    throw new Error('MAIL=files writes e-mails to files, and SMTP_URL sends them: set one of the two.');
  return {
    smtpUrl: SMTP_URL ?? null,
    from: MAIL_FROM ?? DEFAULT_MAIL_FROM,
    bouncesTo: MAIL_BOUNCES_TO ?? null,
    bouncesKey: MAIL_BOUNCES_KEY ?? null,
    timeZone: MAIL_TIME_ZONE ?? 'UTC',
  };
}

function paymentsOf(given: z.infer<typeof Environment>): PaymentsConfig | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, NODE_ENV } = given;
  const byDefault = secretKey !== undefined ? 'stripe' : NODE_ENV === 'development' ? 'twin' : 'off';
  switch (given.PAYMENTS ?? byDefault) {
    case 'off':
      return null;
    case 'twin':
      if (NODE_ENV === 'production')
        throw new Error('PAYMENTS=twin takes no real money: in production set STRIPE_SECRET_KEY, or PAYMENTS=off.');
      return { type: 'twin' };
    default:
      if (secretKey === undefined) throw new Error('PAYMENTS=stripe: set STRIPE_SECRET_KEY.');
      if (webhookSecret === undefined)
        throw new Error(
          'STRIPE_SECRET_KEY is set: set STRIPE_WEBHOOK_SECRET too, of the endpoint /v1/billing/webhook.',
        );
      return { type: 'stripe', secretKey, webhookSecret };
  }
}

/** Only a server that nobody but this machine can reach knows who sits at it. */
function offersLocalModels({ LOCAL_MODELS: wish, NODE_ENV, HOST }: z.infer<typeof Environment>): boolean {
  const isOnlyHere = HOST === 'localhost' || isLoopbackIp(HOST);
  if (wish === 'offer' && !isOnlyHere)
    throw new Error('LOCAL_MODELS=offer is for a server on the learner’s own computer: set HOST=127.0.0.1.');
  return isOnlyHere && (wish ?? (NODE_ENV === 'development' ? 'offer' : 'off')) === 'offer';
}

function azureSpeechOf(given: z.infer<typeof Environment>): AzureSpeechConfig | null {
  const { AZURE_SPEECH_KEY: key, AZURE_SPEECH_REGION: region, AZURE_SPEECH_ENDPOINT: endpoint } = given;
  if (key === undefined) return null;
  if (endpoint !== undefined) return { key, endpoint };
  if (region === undefined)
    throw new Error('AZURE_SPEECH_KEY is set: say where in AZURE_SPEECH_REGION, such as westeurope.');
  return { key, region };
}

function openAiOf(given: z.infer<typeof Environment>): OpenAiConfig | null {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model } = given;
  if (apiKey === undefined && baseUrl === undefined) return null;
  if (baseUrl !== undefined && model === undefined)
    throw new Error('OPENAI_BASE_URL is set: say which of its models is the coach in OPENAI_MODEL.');
  if (baseUrl !== undefined && new URL(baseUrl).username !== '')
    throw new Error('OPENAI_BASE_URL must not hold a name and a password: give the key in OPENAI_API_KEY.');
  return {
    apiKey: apiKey ?? '',
    baseUrl: baseUrl ?? null,
    model: model ?? DEFAULT_MODEL,
    transcribeModel: given.OPENAI_TRANSCRIBE_MODEL ?? (baseUrl === undefined ? DEFAULT_TRANSCRIBE_MODEL : null),
    voiceModel: given.OPENAI_VOICE_MODEL ?? (baseUrl === undefined ? DEFAULT_VOICE_MODEL : null),
    realtimeModel: given.OPENAI_REALTIME_MODEL ?? (baseUrl === undefined ? DEFAULT_REALTIME_MODEL : null),
    firstByteMs: given.OPENAI_FIRST_BYTE_TIMEOUT_S === undefined ? null : given.OPENAI_FIRST_BYTE_TIMEOUT_S * 1_000,
  };
}
