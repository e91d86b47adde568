/** Lists the environment variables that only the server may see, so that child processes do not inherit them. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'SECRET',
  'OPENAI_API_KEY',
  'AZURE_SPEECH_KEY',
  'SMTP_URL',
  'MAIL_BOUNCES_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'S3_SECRET_ACCESS_KEY',
] as const;
