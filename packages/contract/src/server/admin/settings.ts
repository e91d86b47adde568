/** The school's settings and its admins' second factor. */
import { BRAND_COLOUR } from '@parley/domain';
import { z } from 'zod';
import { isStorableText } from '../../storable.ts';
import { Email, SignInCode } from '../account.ts';
import { adminBase } from '../base.ts';

/** In months; null keeps the records for ever. */
export const RETENTION_MONTHS = [6, 12, 24, 36, 60, 120] as const;
const Retention = z.literal(RETENTION_MONTHS).nullable();

export const SchoolLogo = z
  .strictObject({ path: z.string(), width: z.number().int(), height: z.number().int() })
  .nullable();
/** Null for Parley's own colour. */
export const SchoolColour = z.string().regex(BRAND_COLOUR).nullable();

export const SchoolSettings = z.strictObject({
  name: z.string().trim().min(1).max(200).refine(isStorableText),
  /** Where learners can reach a person. */
  contactEmail: Email.nullable(),
  /** The colour of pages and e-mails. */
  colour: SchoolColour,
  /** IANA name. */
  timeZone: z.string().min(1).max(80),
  /** Whether admins must enter a code of an authenticator app in each browser. */
  requiresSecondFactor: z.boolean(),
  /** How long entries of the audit log are kept. */
  auditMonths: Retention,
  /** How long the e-mail log keeps the recipients of e-mails. */
  mailMonths: Retention,
});
export type SchoolSettings = z.infer<typeof SchoolSettings>;
/** Omitted fields stay unchanged, so that an admin cannot undo another admin's change. */
const SchoolSettingsChange = SchoolSettings.partial();
export type SchoolSettingsChange = z.infer<typeof SchoolSettingsChange>;

/** Pages show a logo with a height of at most 40 CSS pixels, on screens with up to three pixels per CSS pixel. */
export const MAX_LOGO_SIZE = { width: 600, height: 120 } as const;
export const MAX_LOGO_BYTES = 64 * 1_024;
const MAX_LOGO_CHARACTERS = 100_000;

export const settingsContract = {
  settings: adminBase
    .route({ method: 'POST', path: '/v1/admin/settings', summary: "The school's settings" })
    .input(z.strictObject({}))
    .output(
      z.strictObject({
        settings: SchoolSettings,
        logo: SchoolLogo,
        /** The caller's authenticator app. */
        hasSecondFactor: z.boolean(),
      }),
    ),
  saveSettings: adminBase
    .route({ method: 'POST', path: '/v1/admin/save-settings', summary: "Change the school's settings" })
    .input(SchoolSettingsChange)
    .output(z.strictObject({})),
  saveLogo: adminBase
    .route({ method: 'POST', path: '/v1/admin/save-logo', summary: "Change or remove the school's logo" })
    /** A PNG as a `data:` address; null removes the logo. */
    .input(z.strictObject({ picture: z.string().max(MAX_LOGO_CHARACTERS).nullable() }))
    .output(z.strictObject({ logo: SchoolLogo })),
  /** A repeated call replaces a setup that was not confirmed. */
  setUpSecondFactor: adminBase
    .route({ method: 'POST', path: '/v1/admin/second-factor/set-up', summary: 'A secret for an authenticator app' })
    .input(z.strictObject({}))
    .output(
      z.strictObject({
        /** Base32, for typing. */
        secret: z.string(),
        /** An `otpauth:` address, to open or to show as a QR code. */
        address: z.string(),
      }),
    ),
  confirmSecondFactor: adminBase
    .route({ method: 'POST', path: '/v1/admin/second-factor/confirm', summary: 'Prove that the app has the secret' })
    .input(z.strictObject({ code: SignInCode }))
    .output(z.strictObject({})),
  enterSecondFactor: adminBase
    .route({ method: 'POST', path: '/v1/admin/second-factor/enter', summary: "Enter the app's code in this browser" })
    .input(z.strictObject({ code: SignInCode }))
    .output(z.strictObject({})),
  removeSecondFactor: adminBase
    .route({ method: 'POST', path: '/v1/admin/second-factor/remove', summary: 'Forget the authenticator app' })
    .input(z.strictObject({}))
    .output(z.strictObject({})),
};
