/** The list of admins of this panel. */
import { t } from '@parley/i18n';
import type { AdminUsers } from '@parley/contract';
import { Button, TextField } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { api, client } from '../foundation/api/client.ts';
import { SentenceError } from '../foundation/api/error-sentence.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';
import { ActionsHeader } from '../foundation/screen/actions-header.tsx';
import { personName } from '../foundation/screen/format.ts';
import { QueryView } from '../foundation/screen/screen.tsx';
import table from '../foundation/screen/table.module.css';
import { WideTable } from '../foundation/screen/wide-table.tsx';

type Person = AdminUsers['rows'][number];

export function AdminsSection(): ReactElement {
  const admins = useQuery(api.admin.users.queryOptions({ input: { only: 'admins', pageSize: 100 } }));
  const [open, setOpen] = useState<Person | 'add' | null>(null);
  return (
    <section className={table['section']}>
      <h2>{t('Admins')}</h2>
      <QueryView query={admins}>
        {({ rows }) => (
          <WideTable name={t('Admins')}>
            <thead>
              <tr>
                <th>{t('Name')}</th>
                <th>{t('E-mail')}</th>
                <ActionsHeader />
              </tr>
            </thead>
            <tbody>
              {rows.map((admin) => (
                <tr key={admin.userId}>
                  <td>
                    <bdi>{personName(admin)}</bdi>
                  </td>
                  <td>
                    <bdi>{admin.email}</bdi>
                  </td>
                  <td className={table['end']}>
                    <Button onPress={() => setOpen(admin)}>{t('Remove')}</Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </WideTable>
        )}
      </QueryView>
      <div className={table['buttons']}>
        <Button onPress={() => setOpen('add')}>{t('Add an admin')}</Button>
      </div>
      {open === 'add' && <AddDialog onClose={() => setOpen(null)} />}
      {open !== null && open !== 'add' && (
        <ActionDialog
          title={t('Remove {name} as an admin?', { name: personName(open).slice(0, 60) })}
          confirmLabel={t('Remove')}
          isDanger
          reason={{ isRequired: true, label: t('Reason'), description: t('It’s kept in the audit log.') }}
          run={(reason) => client.admin.setAdmin({ userId: open.userId, isAdmin: false, reason })}
          onClose={() => setOpen(null)}
        >
          <p>{t('They can no longer open this panel. Their account and their practice stay as they are.')}</p>
        </ActionDialog>
      )}
    </section>
  );
}

function AddDialog({ onClose }: { onClose: () => void }): ReactElement {
  const [email, setEmail] = useState('');
  const add = async (reason: string): Promise<void> => {
    const address = email.trim().toLowerCase();
    const { rows } = await client.admin.users({ search: address });
    const person = rows.find((row) => row.email === address);
    if (person === undefined)
      throw new SentenceError(t('No account has this address. Invite the person as a learner first.'));
    await client.admin.setAdmin({ userId: person.userId, isAdmin: true, reason });
  };
  return (
    <ActionDialog
      title={t('Add an admin')}
      confirmLabel={t('Make an admin')}
      reason={{ isRequired: true, label: t('Reason'), description: t('It’s kept in the audit log.') }}
      run={add}
      onClose={onClose}
    >
      <p>
        {t(
          'Admins can do everything in this panel. The person needs an account on this server: invite them as a learner first if they have none.',
        )}
      </p>
      <TextField label={t('Their e-mail address')} type="email" value={email} onChange={setEmail} maxLength={320} />
    </ActionDialog>
  );
}
