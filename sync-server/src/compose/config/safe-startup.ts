/** Refuses to start with unsafe settings: development defaults in production, or a public address outside it. */
import { isLoopbackName } from '@parley/contract';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import type { Config } from './config.ts';

/** The number of guesses that a secret must withstand, as a power of ten; 32 random hexadecimal digits withstand at least 10^27. */
const MIN_SECRET_GUESSES_LOG10 = 20;
const PLACEHOLDER = /change|secret|passwor[dt]|example|default|replace|placeholder|qwerty|letmein/i;

/** Settings that matter only to this check. */
export interface StartupOverrides {
  /** E-mails are deliberately written to files, which reach no learner. */
  writesMailToFiles: boolean;
  /** A server outside production may deliberately listen beyond this machine. */
  isInsecureAllowed: boolean;
}

/** Throws one error that lists every problem with its variable and what to do. */
export function requireSafeStartup(config: Config, overrides: StartupOverrides): void {
  const problems = config.isProduction
    ? unsafeProductionSettings(config, overrides)
    : unsafeExposure(config, overrides);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function unsafeProductionSettings(config: Config, { writesMailToFiles }: StartupOverrides): string[] {
  const { databaseUrl, secret, publicUrl, mail } = config;
  const problems: [isProblem: boolean, sentence: string][] = [
    [databaseUrl === null, 'In production the server needs PostgreSQL: set DATABASE_URL (postgres://…).'],
    [
      secret === null,
      'In production the server needs a SECRET of its own, the same on every node: set it to the output of `openssl rand -base64 32`.',
    ],
    [
      secret !== null && isGuessable(secret),
      'SECRET is too easy to guess: codes, links and forms could be forged. Set it to the output of `openssl rand -base64 32`.',
    ],
    [
      publicUrl?.startsWith('https:') !== true,
      'In production the server needs to know the https address that browsers reach it at: set PUBLIC_URL (https://…). Links in e-mails lead there, and cookies are sent only over https.',
    ],
    [
      mail.smtpUrl === null && !writesMailToFiles,
      'In production the server needs a mail server, or no learner gets a sign-in code: set SMTP_URL and MAIL_FROM, or MAIL=files to have e-mails written to files that you forward yourself.',
    ],
  ];
  return problems.flatMap(([isProblem, sentence]) => (isProblem ? [sentence] : []));
}

function unsafeExposure(config: Config, { isInsecureAllowed }: StartupOverrides): string[] {
  const { host, access, isMetered, payments, mail, publicUrl } = config;
  const hostname = URL.parse(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname ?? host;
  if (isInsecureAllowed || isLoopbackName(hostname)) return [];
  const open = [
    publicUrl?.startsWith('https:') === true ? null : 'tokens, cookies and what learners say travel unencrypted',
    access === 'open' ? 'anyone can use the coaches at your cost (ACCESS=open)' : null,
    isMetered ? null : 'their minutes are unlimited (AI_QUOTA=off)',
    payments?.type === 'fake' ? 'plans are sold for no real money (PAYMENTS=fake)' : null,
    mail.smtpUrl === null ? 'sign-in codes are written to files in DATA_DIR' : null,
  ].filter((each) => each !== null);
  return [
    [
      `HOST=${host} lets other machines reach this server, which is not set up for production. As a result:`,
      ...open.map((each) => `  - ${each}`),
      'Set NODE_ENV=production for real use, unset HOST to be reached from this machine only, or set PARLEY_INSECURE=1 if you trust everyone who can reach it.',
    ].join('\n'),
  ];
}

const isGuessable = (secret: string): boolean =>
  PLACEHOLDER.test(secret) || new ZxcvbnFactory().check(secret).guessesLog10 < MIN_SECRET_GUESSES_LOG10;
