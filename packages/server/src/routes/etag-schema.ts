/**
 * Schema of the property `etag` of an object that can be changed. Responses with the object have the same value in the
 * header ETag.
 */
export const etagSchema = {
  type: 'string',
  description:
    'Version of the settings, equal to the header ETag. Send this value in the header If-Match to change only this version.',
  examples: ['"4Yp2mWbUe0cJq1TzHk8sVA"'],
};
