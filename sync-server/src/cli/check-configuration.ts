/** `parley-server check-config`: prints the configuration that results from the environment, without secrets. */
import type { Config } from '../compose/config/config.ts';
import type { Output } from './command.ts';

export function checkConfiguration(config: Config, output: Output): void {
  const facts: [string, string][] = [
    ['mode', config.isProduction ? 'production' : 'development'],
    ['listens on', `${config.host}:${config.port}`],
    ['public address', config.publicUrl ?? 'the address above'],
    ['database', config.databaseUrl === null ? `embedded, in ${config.dataDir}` : 'PostgreSQL'],
    ['mail', config.mail.smtpUrl === null ? 'written to files' : `sent as ${config.mail.from}`],
    ['access', config.access === 'open' ? 'open to everyone' : 'granted by an admin'],
    ['coach', config.openAi === null ? 'guided only' : `guided, and ${config.openAi.model}`],
    ['scores', config.azureSpeech === null ? 'on the device' : 'on the device, and by Azure Speech'],
    ['AI costs at most', `${config.aiDailyLimitUsd} US dollars a day`],
    ['payments', config.payments === null ? 'off' : config.payments.type === 'stripe' ? 'Stripe' : 'a local fake'],
    ['admins', config.adminEmails.length === 0 ? 'none in ADMIN_EMAILS' : config.adminEmails.join(', ')],
  ];
  const width = Math.max(...facts.map(([name]) => name.length));
  for (const [name, value] of facts) output.print(`${name.padEnd(width)}  ${value}`);
}
