/** Whether learners can open a practice or a video, or only see that it is coming soon. */
import { t } from '@parley/i18n';
import type { VideoDocument } from '@parley/domain';
import type { ReactElement } from 'react';
import { Choice } from '../fields.tsx';

type Availability = VideoDocument['availability'];

export const AvailabilityChoice = ({
  value,
  onChange,
}: {
  value: Availability;
  onChange: (value: Availability) => void;
}): ReactElement => (
  <Choice
    label={t('Learners see it as')}
    value={value}
    options={[
      { value: 'ready', label: t('Ready') },
      { value: 'not_ready', label: t('Coming soon') },
    ]}
    onChange={onChange}
  />
);
