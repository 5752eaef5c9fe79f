export const SCOPES = {
  offline_access: 'Maintain access to data you have given it access to',
  openid: 'Sign you in',
  profile: 'View your basic profile',
  email: 'View your email address',
  'User.Read': 'Sign you in and read your profile',
  'Sites.Read.All': 'Read items in all site collections',
  'Sites.ReadWrite.All': 'Edit or delete items in all site collections',
  'Files.Read': 'Read your files',
  'Files.Read.All': 'Read all files that you have access to',
  'Files.ReadWrite': 'Have full access to your files',
  'Files.ReadWrite.All': 'Have full access to all files you have access to',
} as const;

export type ScopeName = keyof typeof SCOPES;

export const READ_SITES: readonly ScopeName[] = ['Sites.Read.All', 'Sites.ReadWrite.All'];

export const READ_FILES: readonly ScopeName[] = [
  ...READ_SITES,
  'Files.Read',
  'Files.Read.All',
  'Files.ReadWrite',
  'Files.ReadWrite.All',
];

export const WRITE_FILES: readonly ScopeName[] = [
  'Files.ReadWrite',
  'Files.ReadWrite.All',
  'Sites.ReadWrite.All',
];
