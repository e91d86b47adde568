/** The configuration of the server, as parsed from its environment. */
import type { CoachBudgets } from '@parley/domain';
import type { TrustProxy } from '../../http/addresses/trusted-proxies.ts';

export interface Config {
  host: string;
  port: number;
  dataDir: string;
  databaseUrl: string | null;
  logLevel: string;
  /** Null when nothing is measured. */
  metrics: { host: string; port: number } | null;
  drainMs: number;
  /** Null when the site shows its own texts, and offers no installers. */
  siteDir: string | null;
  downloadsDir: string | null;
  media: MediaConfig;
  trustProxy: TrustProxy;
  /** Host names that the server answers to, in addition to those of this machine. */
  allowedHosts: string[];
  isProduction: boolean;
  openAi: OpenAiConfig | null;
  azureSpeech: AzureSpeechConfig | null;
  offersLocalModels: boolean;
  aiDailyLimitUsd: number;
  aiLearnerBudgetsUsd: CoachBudgets;
  isMetered: boolean;
  access: 'open' | 'granted';
  adminEmails: string[];
  mail: MailConfig;
  /** The public base URL without a trailing slash, or null to use the listening address. */
  publicUrl: string | null;
  /** Null in development, where a secret is created and kept in the data folder. */
  secret: string | null;
  /** Null when nothing is sold. */
  payments: PaymentsConfig | null;
}

export interface MediaConfig {
  /** The folder for uploads in progress and, without S3, for the files. */
  dir: string;
  /** Null when the files are kept in the folder. */
  s3: S3Config | null;
  maxFileBytes: number;
  maxTotalBytes: number;
}

export interface S3Config {
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Null when the storage is Amazon S3 itself. */
  endpoint: string | null;
}

export type PaymentsConfig = { type: 'stripe'; secretKey: string; webhookSecret: string } | { type: 'fake' };

export interface MailConfig {
  /** Null when e-mails are written to files. */
  smtpUrl: string | null;
  from: string;
  /** Null when bounces go to `from`. */
  bounceAddress: string | null;
  /** Null when bounces are not forwarded to this server. */
  bounceKey: string | null;
  timeZone: string;
}

export type AzureSpeechConfig = { key: string } & ({ region: string } | { endpoint: string });

export interface OpenAiConfig {
  /** Empty for a self-hosted server that needs no key. */
  apiKey: string;
  /** Null when the provider is OpenAI itself. */
  baseUrl: string | null;
  model: string;
  /** Null when this service does not transcribe. */
  transcribeModel: string | null;
  /** Null when the devices speak the coach's utterances. */
  voiceModel: string | null;
  /** Null when there is no realtime voice. */
  realtimeModel: string | null;
  /** How long the first byte of a reply may take, or null for the default of the service's location. */
  firstByteMs: number | null;
}
