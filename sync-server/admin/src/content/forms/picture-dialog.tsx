/** Asks what a picture shows, uploads it, and returns it as Markdown. */
import { mediaAddress } from '@parley/domain';
import { t } from '@parley/i18n';
import { Banner, Button, Dialog } from '@parley/ui';
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { client } from '../../foundation/api/client.ts';
import { errorSentence } from '../../foundation/api/error-sentence.ts';
import { Text } from '../fields.tsx';
import type { FittedPicture } from '../picture.ts';
import { pictureMarkdown } from './insert-block.ts';
import css from '../content.module.css';

export interface ChosenPicture extends FittedPicture {
  fileName: string;
}

const MAX_DESCRIPTION = 300;

export function PictureDialog({
  picture: { fileName, address, width, height },
  onInsert,
  onClose,
}: {
  picture: ChosenPicture;
  onInsert: (markdown: string) => void;
  onClose: () => void;
}): ReactElement {
  const [description, setDescription] = useState('');
  const isTooLong = description.length > MAX_DESCRIPTION;
  const upload = useMutation({
    mutationFn: () => client.media.addPicture({ fileName, picture: address }),
    onSuccess: ({ id }) => onInsert(pictureMarkdown(mediaAddress(id), description)),
  });
  return (
    <Dialog title={t('Insert a picture')} isOpen onClose={onClose}>
      <form
        className={css['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (!upload.isPending && !isTooLong) upload.mutate();
        }}
      >
        <img className={css['chosen']} src={address} alt="" width={width} height={height} />
        <Text
          label={t('Description')}
          description={t('What it shows, for readers who can’t see it. Leave it empty if it’s only a decoration.')}
          value={description}
          maxLength={MAX_DESCRIPTION}
          onChange={setDescription}
        />
        {upload.isError && <Banner tone="error">{errorSentence(upload.error)}</Banner>}
        <div className={css['buttons']}>
          <Button type="submit" variant="primary" isDisabled={upload.isPending || isTooLong}>
            {upload.isPending ? t('One moment…') : t('Insert')}
          </Button>
          <Button onPress={onClose}>{t('Cancel')}</Button>
        </div>
      </form>
    </Dialog>
  );
}
