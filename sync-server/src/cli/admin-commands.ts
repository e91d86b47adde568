/** `parley-server admin`: makes the owner of an address an admin or removes their authenticator app, for a server whose admins cannot sign in. */
import { and, asc, eq, isNull } from 'drizzle-orm';
import { forgetSecondFactorOf, makeAdmin } from '../account/index.ts';
import type { Database } from '../db/client.ts';
import { tables } from '../db/tables.ts';
import { CommandFailure, type Output } from './command.ts';

export async function listAdmins(db: Database, output: Output): Promise<void> {
  const { users } = tables;
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(and(eq(users.isAdmin, true), isNull(users.deletedAt)))
    .orderBy(asc(users.email));
  if (rows.length === 0) output.print('There are no admins. To make one, run parley-server admin grant ADDRESS.');
  for (const { email } of rows) output.print(email ?? 'an account without an address');
}

export async function grantAdmin(
  db: Database,
  { email, now }: { email: string; now: Date },
  output: Output,
): Promise<void> {
  switch (await makeAdmin(db, { email, now })) {
    case 'granted':
      return output.print(`${email} is now an admin, and can open the panel after signing in again.`);
    case 'is_admin':
      return output.print(`${email} is already an admin.`);
    case 'no_account':
      throw new CommandFailure(
        `No account signs in with ${email}. Let its owner sign in once, or start the server with ADMIN_EMAILS=${email}.`,
      );
  }
}

export async function removeAuthenticator(
  db: Database,
  { email, now }: { email: string; now: Date },
  output: Output,
): Promise<void> {
  switch (await forgetSecondFactorOf(db, { email, now })) {
    case 'removed':
      return output.print(
        `The authenticator app of ${email} was removed. Its owner can set up another one in the panel.`,
      );
    case 'has_none':
      return output.print(`${email} has no authenticator app.`);
    case 'no_account':
      throw new CommandFailure(`No account signs in with ${email}.`);
  }
}
