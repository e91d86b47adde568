/** Parses the environment once. In production it rejects defaults that are safe only in development. */
import { isIP } from 'node:net';
import { join } from 'node:path';
import { COACH_BUDGETS_USD } from '@parley/domain';
import { isLoopbackIp } from '../../http/addresses/private-address.ts';
import type { AzureSpeechConfig, Config, MailConfig, MediaConfig, OpenAiConfig, PaymentsConfig } from './config.ts';
import { Environment } from './environment.ts';
import { describeIssue, explainEnvironment } from './explain-environment.ts';
import { requireSafeStartup } from './safe-startup.ts';

const DEFAULT_MODEL = 'gpt-5-mini';
const DEFAULT_TRANSCRIBE_MODEL = 'gpt-4o-mini-transcribe';
const DEFAULT_VOICE_MODEL = 'gpt-4o-mini-tts';
const DEFAULT_REALTIME_MODEL = 'gpt-realtime';
const DEFAULT_MAIL_FROM = 'Parley <hello@parley.invalid>';

export function readConfig(environment: Record<string, string | undefined>): Config {
  // Compose files set unused variables to an empty string, which counts as unset. A space would be read as the number 0.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim() !== ''));
  const parsed = Environment.safeParse(set, { error: describeIssue });
  if (!parsed.success) throw new Error(explainEnvironment(parsed.error));
  const { NODE_ENV, HOST, PORT, DATA_DIR, DATABASE_URL, LOG_LEVEL, TRUST_PROXY } = parsed.data;
  const { METRICS_PORT, METRICS_HOST, SHUTDOWN_DRAIN_S } = parsed.data;
  const { AI_DAILY_LIMIT_USD, AI_QUOTA } = parsed.data;
  const config: Config = {
    host: HOST,
    port: PORT,
    dataDir: DATA_DIR,
    databaseUrl: DATABASE_URL ?? null,
    logLevel: LOG_LEVEL,
    metrics: METRICS_PORT === undefined ? null : { host: METRICS_HOST, port: METRICS_PORT },
    drainMs: SHUTDOWN_DRAIN_S * 1_000,
    siteDir: parsed.data.SITE_DIR ?? null,
    downloadsDir: parsed.data.DOWNLOADS_DIR ?? null,
    media: readMediaConfig(parsed.data),
    trustProxy: TRUST_PROXY ?? false,
    allowedHosts: readAllowedHosts(parsed.data),
    isProduction: NODE_ENV === 'production',
    openAi: readOpenAiConfig(parsed.data),
    azureSpeech: readAzureSpeechConfig(parsed.data),
    offersLocalModels: offersLocalModels(parsed.data),
    aiDailyLimitUsd: AI_DAILY_LIMIT_USD,
    aiLearnerBudgetsUsd: { ...COACH_BUDGETS_USD, ...parsed.data.AI_LEARNER_LIMITS_USD },
    payments: readPaymentsConfig(parsed.data),
    isMetered: (AI_QUOTA ?? (NODE_ENV === 'production' ? 'plans' : 'off')) === 'plans',
    access: parsed.data.ACCESS ?? (NODE_ENV === 'production' ? 'granted' : 'open'),
    adminEmails: parsed.data.ADMIN_EMAILS,
    mail: readMailConfig(parsed.data),
    publicUrl: parsed.data.PUBLIC_URL === undefined ? null : new URL(parsed.data.PUBLIC_URL).origin,
    secret: parsed.data.SECRET ?? null,
  };
  const { MAIL, PARLEY_INSECURE } = parsed.data;
  requireSafeStartup(config, { writesMailToFiles: MAIL === 'files', isInsecureAllowed: PARLEY_INSECURE === '1' });
  return config;
}

/** Returns the names in PUBLIC_URL and ALLOWED_HOSTS, and the listening host unless it is a wildcard. */
function readAllowedHosts({ PUBLIC_URL, ALLOWED_HOSTS, HOST }: Environment): string[] {
  const listening = URL.parse(`http://${isIP(HOST) === 6 ? `[${HOST}]` : HOST}`)?.hostname ?? '';
  return [
    ...(PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).hostname]),
    ...(ALLOWED_HOSTS ?? []),
    ...(['', '0.0.0.0', '[::]'].includes(listening) ? [] : [listening]),
  ];
}

const BYTES_A_MEGABYTE = 1_000_000;

function readMediaConfig(given: Environment): MediaConfig {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = given;
  if (bucket !== undefined && (accessKeyId === undefined || secretAccessKey === undefined))
    throw new Error('S3_BUCKET is set: also set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  return {
    dir: given.MEDIA_DIR ?? join(given.DATA_DIR, 'media'),
    s3:
      bucket === undefined
        ? null
        : {
            bucket,
            accessKeyId: accessKeyId ?? '',
            secretAccessKey: secretAccessKey ?? '',
            region: given.S3_REGION ?? 'us-east-1',
            endpoint: given.S3_ENDPOINT ?? null,
          },
    maxFileBytes: given.MEDIA_MAX_FILE_MB * BYTES_A_MEGABYTE,
    maxTotalBytes: given.MEDIA_MAX_TOTAL_GB * 1_000 * BYTES_A_MEGABYTE,
  };
}

function readMailConfig({
  MAIL,
  SMTP_URL,
  MAIL_FROM,
  MAIL_BOUNCES_TO,
  MAIL_BOUNCES_KEY,
  MAIL_TIME_ZONE,
}: Environment): MailConfig {
  if (SMTP_URL !== undefined && MAIL_FROM === undefined)
    throw new Error('SMTP_URL is set: set MAIL_FROM to the sender of the e-mails.');
  if (MAIL === 'files' && SMTP_URL !== undefined)
    throw new Error('MAIL=files writes e-mails to files and SMTP_URL sends them: set only one of the two.');
  return {
    smtpUrl: SMTP_URL ?? null,
    from: MAIL_FROM ?? DEFAULT_MAIL_FROM,
    bounceAddress: MAIL_BOUNCES_TO ?? null,
    bounceKey: MAIL_BOUNCES_KEY ?? null,
    timeZone: MAIL_TIME_ZONE ?? 'UTC',
  };
}

function readPaymentsConfig(given: Environment): PaymentsConfig | null {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, NODE_ENV } = given;
  const byDefault = secretKey !== undefined ? 'stripe' : NODE_ENV === 'development' ? 'fake' : 'off';
  switch (given.PAYMENTS ?? byDefault) {
    case 'off':
      return null;
    case 'fake':
      if (NODE_ENV === 'production')
        throw new Error('PAYMENTS=fake takes no real money: in production set STRIPE_SECRET_KEY or PAYMENTS=off.');
      return { type: 'fake' };
    default:
      if (secretKey === undefined) throw new Error('PAYMENTS=stripe requires STRIPE_SECRET_KEY.');
      if (webhookSecret === undefined)
        throw new Error(
          'STRIPE_SECRET_KEY is set: also set STRIPE_WEBHOOK_SECRET, the signing secret of the endpoint /v1/billing/webhook.',
        );
      return { type: 'stripe', secretKey, webhookSecret };
  }
}

/**
 * Local models are offered only when the server is reachable from this machine alone, since only then is the caller the person at this
 * machine.
 */
function offersLocalModels({ LOCAL_MODELS: localModels, NODE_ENV, HOST }: Environment): boolean {
  const listensOnLoopback = HOST === 'localhost' || isLoopbackIp(HOST);
  if (localModels === 'offer' && !listensOnLoopback)
    throw new Error('LOCAL_MODELS=offer requires a server on the learner’s own computer: set HOST=127.0.0.1.');
  return listensOnLoopback && (localModels ?? (NODE_ENV === 'development' ? 'offer' : 'off')) === 'offer';
}

function readAzureSpeechConfig(given: Environment): AzureSpeechConfig | null {
  const { AZURE_SPEECH_KEY: key, AZURE_SPEECH_REGION: region, AZURE_SPEECH_ENDPOINT: endpoint } = given;
  if (key === undefined) return null;
  if (endpoint !== undefined) return { key, endpoint };
  if (region === undefined)
    throw new Error('AZURE_SPEECH_KEY is set: set AZURE_SPEECH_REGION to its region, such as westeurope.');
  return { key, region };
}

function readOpenAiConfig(given: Environment): OpenAiConfig | null {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL: model } = given;
  if (apiKey === undefined && baseUrl === undefined) return null;
  if (baseUrl !== undefined && model === undefined)
    throw new Error('OPENAI_BASE_URL is set: set OPENAI_MODEL to the model that coaches.');
  if (baseUrl !== undefined && new URL(baseUrl).username !== '')
    throw new Error('OPENAI_BASE_URL must not contain a user name and password: set OPENAI_API_KEY instead.');
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
