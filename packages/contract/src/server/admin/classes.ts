/**
 * Classes: learners who are assigned courses with due dates. An admin sees who has finished, but never what was said.
 */
import { z } from 'zod';
import { Email } from '../account.ts';
import { isStorableText, StorableTime } from '../../storable.ts';
import { adminBase } from '../base.ts';
import { listRequest, listResult } from './list.ts';

const ClassId = z.uuid();
const Name = z.string().trim().min(1).max(200).refine(isStorableText);

const ClassRow = z.strictObject({
  classId: ClassId,
  name: z.string(),
  members: z.number().int(),
  courses: z.number().int(),
  /** The next due date of its courses. */
  dueAt: z.iso.datetime().nullable(),
  archivedAt: z.iso.datetime().nullable(),
});
export type ClassRow = z.infer<typeof ClassRow>;

export const ClassDetail = z.strictObject({
  classId: ClassId,
  name: z.string(),
  archivedAt: z.iso.datetime().nullable(),
  courses: z.array(
    z.strictObject({
      courseId: z.uuid(),
      title: z.string(),
      dueAt: z.iso.datetime().nullable(),
      /** Practices and videos that learners can open. */
      practices: z.number().int(),
      /** The number of members who have done all of them. */
      finished: z.number().int(),
    }),
  ),
  members: z.number().int(),
  /** Every course that can be assigned. */
  choices: z.array(z.strictObject({ courseId: z.uuid(), title: z.string() })),
});
export type ClassDetail = z.infer<typeof ClassDetail>;

const ClassMember = z.strictObject({
  userId: z.uuid(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  /** How many of its practices and videos are done in each assigned course; courses without any are left out. */
  doneByCourseId: z.record(z.uuid(), z.number().int()),
});
export type ClassMember = z.infer<typeof ClassMember>;

const ClassMembersRequest = listRequest(['name', 'email', 'done']).extend({
  classId: ClassId,
  /** Sorts by `done` in this course; without it, in all courses of the class together. */
  courseId: z.uuid().optional(),
  /** Whether everything is done in all courses of the class. In a class without courses, there is nothing to do. */
  only: z.enum(['finished', 'unfinished']).optional(),
});
export type ClassMembersRequest = z.infer<typeof ClassMembersRequest>;

const ClassesRequest = listRequest(['name', 'createdAt']).extend({ isArchived: z.boolean().default(false) });
export type ClassesRequest = z.infer<typeof ClassesRequest>;

/** The maximum number of learners that one call adds to a class. */
export const MAX_ADDED_TO_CLASS = 500;

export const classesContract = {
  classes: adminBase
    .route({ method: 'POST', path: '/v1/admin/classes', summary: 'A page of the classes' })
    .input(ClassesRequest)
    .output(listResult(ClassRow)),
  schoolClass: adminBase
    .route({ method: 'POST', path: '/v1/admin/class', summary: 'A class: its courses, and who has finished them' })
    .input(z.strictObject({ classId: ClassId }))
    .output(ClassDetail),
  classMembers: adminBase
    .route({ method: 'POST', path: '/v1/admin/class-members', summary: 'A page of the learners of a class' })
    .input(ClassMembersRequest)
    .output(listResult(ClassMember)),
  createClass: adminBase
    .route({ method: 'POST', path: '/v1/admin/create-class', summary: 'Make a class' })
    .input(z.strictObject({ name: Name }))
    .output(z.strictObject({ classId: ClassId })),
  changeClass: adminBase
    .route({ method: 'POST', path: '/v1/admin/change-class', summary: 'Rename, archive or restore a class' })
    .input(z.strictObject({ classId: ClassId, name: Name.optional(), isArchived: z.boolean().optional() }))
    .output(z.strictObject({})),
  addToClass: adminBase
    .route({ method: 'POST', path: '/v1/admin/add-to-class', summary: 'Add learners by their addresses' })
    .input(z.strictObject({ classId: ClassId, emails: z.array(Email).min(1).max(MAX_ADDED_TO_CLASS) }))
    .output(
      z.strictObject({
        added: z.number().int(),
        /** Addresses without an account. */
        unknown: z.array(z.string()),
      }),
    ),
  removeFromClass: adminBase
    .route({ method: 'POST', path: '/v1/admin/remove-from-class', summary: 'Remove a learner from a class' })
    .input(z.strictObject({ classId: ClassId, userId: z.uuid() }))
    .output(z.strictObject({})),
  /** A repeated call changes the due date. */
  assignCourse: adminBase
    .route({ method: 'POST', path: '/v1/admin/assign-course', summary: 'Assign a course to a class' })
    .input(z.strictObject({ classId: ClassId, courseId: z.uuid(), dueAt: StorableTime.nullable() }))
    .output(z.strictObject({})),
  withdrawCourse: adminBase
    .route({ method: 'POST', path: '/v1/admin/withdraw-course', summary: 'Take a course back from a class' })
    .input(z.strictObject({ classId: ClassId, courseId: z.uuid() }))
    .output(z.strictObject({})),
};
