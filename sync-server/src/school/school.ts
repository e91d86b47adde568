/** Builds the school feature from its parts. */
import type {
  AdminHome,
  AdminMailsRequest,
  AdminNumbers,
  AdminOverview,
  Assignment,
  Invitation,
  LearnerDetail,
  MailRow,
  ProductRow,
  ProductsRequest,
  SchoolSettings,
  SchoolSettingsChange,
} from '@parley/contract';
import type { SchoolIdentity, SchoolLogo } from '@parley/domain';
import type { Access } from '../account/index.ts';
import { listProducts } from '../billing/index.ts';
import type { Database } from '../db/client.ts';
import type { FileStorage } from '../ports/storage/file-storage.ts';
import { listAssignments } from './assignments.ts';
import { type Classes, createClasses } from './classes.ts';
import { readHome } from './home.ts';
import { readSchoolIdentity, saveLogo } from './identity.ts';
import { invite } from './invitations.ts';
import { correctAddress, type LearnerActionParts, sendAccessLink } from './learner-actions.ts';
import { readLearnerDetail } from './learner-detail.ts';
import { listMails } from './mail-log.ts';
import { readNumbers } from './numbers.ts';
import { keepAnswers, readWeeks } from './practice-numbers.ts';
import { readOverview } from './overview.ts';
import { applyRetention, type DeletedRecords } from './retention.ts';
import { createSecondFactor, type SecondFactor } from './second-factor.ts';
import { readSchoolSettings, saveSchoolSettings } from './settings.ts';
import { createSiteTexts, type SiteTexts } from './site-texts/site-texts.ts';

export interface School {
  /** Whether e-mails are only written to a folder of the server. */
  isMailWritten: boolean;
  readOverview: (userId: string) => Promise<AdminOverview>;
  readHome: () => Promise<AdminHome>;
  readNumbers: (weeks: number) => Promise<AdminNumbers>;
  listProducts: (asked: ProductsRequest) => Promise<{ total: number; rows: ProductRow[] }>;
  readLearner: (userId: string) => Promise<LearnerDetail>;
  invite: (asked: {
    actorId: string;
    invitations: readonly Invitation[];
    reason: string | null;
  }) => Promise<{ invited: number; hadAccess: string[] }>;
  sendAccessLink: (asked: { actorId: string; userId: string }) => Promise<void>;
  correctAddress: (asked: { actorId: string; userId: string; email: string }) => Promise<void>;
  listMails: (asked: AdminMailsRequest) => Promise<{ total: number; rows: MailRow[] }>;
  readSettings: () => Promise<SchoolSettings>;
  readIdentity: () => Promise<SchoolIdentity>;
  /** A PNG as a `data:` address; null removes the logo. Throws `request.invalid` for anything else. */
  saveLogo: (asked: { actorId: string; picture: string | null }) => Promise<SchoolLogo | null>;
  saveSettings: (asked: { actorId: string; change: SchoolSettingsChange }) => Promise<void>;
  /** Deletes what is older than the school wants to keep. */
  applyRetention: () => Promise<DeletedRecords>;
  siteTexts: SiteTexts;
  secondFactor: SecondFactor;
  classes: Classes;
  /** The courses that a learner's classes are to finish. */
  listAssignments: (userId: string) => Promise<Assignment[]>;
}

export interface SchoolParts extends LearnerActionParts {
  db: Database;
  access: Pick<Access, 'grant' | 'mustBeGranted'>;
  /** Keeps the logo. */
  storage: FileStorage;
  /** Whether e-mails are only written to a folder of the server. */
  isMailWritten: boolean;
  /** Encrypts the secrets of authenticator apps. */
  secret: string;
}

const HOME_WEEKS = 8;

export function createSchool(parts: SchoolParts): School {
  const { db, now } = parts;
  const readNumbersOfWeeks = keepAnswers(parts, (weeks) =>
    readNumbers(db, { weeks, now: now(), mustBeGranted: parts.access.mustBeGranted }),
  );
  const readLastWeeks = keepAnswers(parts, async (weeks) => {
    const { timeZone } = await readSchoolSettings(db);
    return readWeeks(db, { weeks, timeZone, now: now() });
  });
  return {
    isMailWritten: parts.isMailWritten,
    readOverview: (userId) => readOverview(db, { userId, now: now(), isMailWritten: parts.isMailWritten }),
    readHome: async () => {
      const [home, weeks] = await Promise.all([readHome(db, now()), readLastWeeks(HOME_WEEKS)]);
      return { ...home, weeks };
    },
    readNumbers: readNumbersOfWeeks,
    listProducts: (asked) => listProducts(db, asked),
    readLearner: (userId) => readLearnerDetail(db, { userId, now: now() }),
    invite: (asked) => invite(parts, asked),
    sendAccessLink: (asked) => sendAccessLink(parts, asked),
    correctAddress: (asked) => correctAddress(parts, asked),
    listMails: (asked) => listMails(db, asked),
    readSettings: () => readSchoolSettings(db),
    readIdentity: () => readSchoolIdentity(db),
    saveLogo: (asked) => saveLogo(parts, { ...asked, at: now() }),
    saveSettings: (asked) => saveSchoolSettings(db, { ...asked, at: now() }),
    applyRetention: () => applyRetention(db, now()),
    siteTexts: createSiteTexts(parts),
    secondFactor: createSecondFactor(parts),
    classes: createClasses(parts),
    listAssignments: (userId) => listAssignments(db, userId),
  };
}
