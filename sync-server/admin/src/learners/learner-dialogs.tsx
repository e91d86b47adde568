/** The dialogs for one learner: a new link, another address, and deletion or its withdrawal. */
import { t } from '@parley/i18n';
import type { LearnerDetail } from '@parley/contract';
import { TextField, Trans } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { client } from '../foundation/api/client.ts';
import { ActionDialog } from '../foundation/dialogs/action-dialog.tsx';

interface LearnerDialogProps {
  learner: LearnerDetail;
  onClose: () => void;
}

export const SendLinkDialog = ({ learner: { userId, email }, onClose }: LearnerDialogProps): ReactElement => (
  <ActionDialog
    title={t('Send a new link?')}
    confirmLabel={t('Send the link')}
    run={() => client.admin.sendAccessLink({ userId })}
    onClose={onClose}
  >
    <p>
      <Trans
        id="An e-mail with a new link goes to <0>{email}</0>. The link works for seven days. Earlier links keep working until they’re used or expire."
        values={{ email }}
        components={{ 0: <bdi /> }}
      />
    </p>
  </ActionDialog>
);

export function CorrectAddressDialog({
  learner: { userId, email: before },
  onClose,
}: LearnerDialogProps): ReactElement {
  const [email, setEmail] = useState(before ?? '');
  return (
    <ActionDialog
      title={t('Correct the address')}
      confirmLabel={t('Save the address')}
      run={() => client.admin.correctAddress({ userId, email })}
      onClose={onClose}
    >
      <p>
        {t(
          'This learner has never signed in, so the address can still be corrected. If they have access, a link goes to the new address.',
        )}
      </p>
      <TextField label={t('E-mail address')} type="email" value={email} onChange={setEmail} maxLength={320} />
    </ActionDialog>
  );
}

export const DeleteDialog = ({ learner: { userId, email }, onClose }: LearnerDialogProps): ReactElement => (
  <ActionDialog
    title={t('Delete this learner?')}
    confirmLabel={t('Delete in 30 days')}
    isDanger
    reason={{
      isRequired: true,
      label: t('Reason'),
      description: t('It’s kept in the audit log until the account is erased.'),
    }}
    run={(reason) => client.admin.requestLearnerDeletion({ userId, reason })}
    onClose={onClose}
  >
    <p>
      {email === null
        ? t(
            'Everything about this learner is erased in 30 days: the account, every practice and every score. Until then, you and the learner can change your minds.',
          )
        : t(
            'Everything about this learner is erased in 30 days: the account, every practice and every score. They get an e-mail that says so. Until then, you and the learner can change your minds.',
          )}
    </p>
  </ActionDialog>
);

export const KeepDialog = ({ learner: { userId }, onClose }: LearnerDialogProps): ReactElement => (
  <ActionDialog
    title={t('Keep this learner?')}
    confirmLabel={t('Keep')}
    run={() => client.admin.withdrawLearnerDeletion({ userId })}
    onClose={onClose}
  >
    <p>{t('The account isn’t erased, and everything stays as it is.')}</p>
  </ActionDialog>
);
