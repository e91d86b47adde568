/** Grants and revokes access, for one learner or for many. */
import { t } from '@parley/i18n';
import type { ReactElement } from 'react';
import { client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';

interface AccessDialogProps {
  learners: readonly { userId: string }[];
  onClose: () => void;
  onDone?: () => void;
}

const CHUNK = 100;

/** Sends the ids in parts, so that no request takes long. */
async function inChunks(userIds: readonly string[], run: (ids: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < userIds.length; from += CHUNK) await run(userIds.slice(from, from + CHUNK));
}

export function GrantDialog({ learners, ...props }: AccessDialogProps): ReactElement {
  const ids = learners.map(({ userId }) => userId);
  return (
    <ActionDialog
      title={t('{count, plural, one {Approve this learner?} other {Approve # learners?}}', { count: ids.length })}
      confirmLabel={t('Approve')}
      reason={{ isRequired: false, label: t('Reason (optional)'), description: t('It’s kept in the audit log.') }}
      run={(reason) =>
        inChunks(ids, (userIds) => client.admin.grantAccessToMany({ userIds, ...(reason === '' ? {} : { reason }) }))
      }
      {...props}
    >
      <p>{t('They get access to the coaches, and an e-mail with a link. You can end their access at any time.')}</p>
    </ActionDialog>
  );
}

export function RevokeDialog({ learners, ...props }: AccessDialogProps): ReactElement {
  const ids = learners.map(({ userId }) => userId);
  return (
    <ActionDialog
      title={t('{count, plural, one {End this learner’s access?} other {End the access of # learners?}}', {
        count: ids.length,
      })}
      confirmLabel={t('End access')}
      isDanger
      reason={{
        isRequired: true,
        label: t('Reason'),
        description: t('The learner reads it, and it’s kept in the audit log.'),
      }}
      run={(reason) => inChunks(ids, (userIds) => client.admin.revokeAccessOfMany({ userIds, reason }))}
      {...props}
    >
      <p>
        {t(
          'They can no longer talk with the coaches of this server, and a plan that they pay for is cancelled. Nothing that they did is deleted. You can approve them again.',
        )}
      </p>
    </ActionDialog>
  );
}
