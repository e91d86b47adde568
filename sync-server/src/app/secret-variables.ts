/** The variables of the environment that no other program than the server needs to know. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'SECRET',
  'OPENAI_API_KEY',
  'AZURE_SPEECH_KEY',
  'SMTP_URL',
  'MAIL_BOUNCES_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const;
