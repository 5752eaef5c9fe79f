'use server';

import { revalidatePath } from 'next/cache';
import { tools } from './calendar';

export async function createEvent(form: FormData): Promise<void> {
  await tools.createEvent({
    summary: String(form.get('summary')),
    start_datetime: String(form.get('start')),
  });
  revalidatePath('/');
}
