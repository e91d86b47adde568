/** The problems of the files of a course pack, in English. Each language translates these sentences. */
import { msg } from './msg.ts';

export const FILE_SENTENCES = {
  'pack.not_zip': msg('This isn’t a ZIP file, or it’s damaged.'),
  'pack.empty': msg('This isn’t a course pack: there are no files in it.'),
  'pack.too_new': msg(
    'This pack was made with a newer version of Parley. Update the server, and then import it again.',
  ),
  'pack.too_many_files': msg('A pack may have {limit} files at most.'),
  'pack.too_large': msg('The pack is too large when unpacked.'),
  'file.foreign': msg('This file doesn’t belong in a pack.'),
  'file.repeated': msg('The pack has this file twice.'),
  'file.too_large': msg('This file is too large.'),
  'file.damaged': msg('This file is damaged.'),
  'file.wrong_form': msg('This file doesn’t contain what a file in this folder must contain.'),
  'file.same_id': msg('This has the same id as {file}.'),
  'file.missing': msg('There’s no file {file}.'),
  'file.yaml_invalid': msg('This isn’t YAML: {detail}'),
  'file.yaml_aliases': msg('Aliases (*name) aren’t allowed.'),
  'file.post_head_missing': msg('A post begins with its title and excerpt between two lines “---”.'),

  'value.missing': msg('{place} is missing.'),
  'value.unknown': msg('Unknown field: {name}.'),
  'value.not_allowed': msg('{place} must be one of these: {allowed}.'),
  'value.too_large': msg('{place} is too long or too large: {limit} at most.'),
  'value.too_small': msg('{place} is too short or too small: {limit} at least.'),
  'value.invalid': msg('{place} doesn’t have the expected format.'),
  'value.refused': msg('{place}: {detail}'),

  'reference.coach_unknown': msg('There’s no coach “{name}”.'),
  'reference.practice_unknown': msg('There’s no practice “{name}”.'),
  'reference.video_unknown': msg('There’s no video “{name}”.'),
  'reference.step_unknown': msg('There’s no step “{name}”.'),

  'picture.none': msg('This file isn’t a picture.'),
  'picture.other_type': msg('The type of this picture doesn’t match its name: {type}.'),
  'picture.active': msg('This drawing contains a script or refers to other files.'),
  'picture.too_large': msg('A picture in a post may be {limit} kB at most.'),
  'cover.wrong_type': msg('The cover of a video is a PNG, JPEG or WebP picture.'),
  'cover.too_large': msg('The cover of a video may be {limit} kB at most.'),

  'film.other_file': msg('The SHA-256 given here doesn’t match {file}.'),
  'film.other_type': msg('The type of this video doesn’t match its name.'),
  'film.not_video': msg('This file isn’t a video.'),
  'film.unsupported': msg('Learners’ apps don’t play this kind of video. Save it as MP4 (H.264) or WebM.'),
  'film.damaged': msg('There’s no picture in this file. It may be damaged.'),
  'film.too_long': msg('This video is longer than six hours.'),
  'film.too_large': msg('This video is larger than this server allows.'),
  'film.no_room': msg('There’s no space for this video on this server.'),
} as const;
