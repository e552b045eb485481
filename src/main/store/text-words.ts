// What short texts about coding work have in common, for packing them (see item-text.ts): ordinary words, turns of
// phrase, code, commands and what they print. Written for this purpose; nothing of it comes from anybody's texts. What
// is most common stands last, where deflate names it in the fewest bits. A text names the list it was packed with by
// its place, so a list that has shipped is never changed: a better one is added behind it.

const first = `
because therefore although instead of anything everything something nothing together between without through before
after again another already always available different following important possible probably actually currently
directly easily completely correctly explicitly exactly previously successfully separately recently usually whether
while which would could should might must have been being does not doesn't don't can't won't isn't didn't it's that's
there's let's we're you're I'm I've we've they're people person question answer example reason problem solution
approach decision option alternative requirement constraint assumption summary overview background details
authentication authorization permission password certificate encryption token session cookie request response header
payload endpoint controller middleware service repository provider consumer producer subscriber publisher listener
handler callback promise iterator generator decorator annotation interface implementation inheritance abstract
instance constructor prototype property attribute parameter argument variable constant function method module package
library framework dependency dependencies version release branch commit merge rebase conflict checkout upstream
remote origin pull request review approve comment issue label milestone workflow pipeline deployment production
staging development environment configuration container cluster database schema migration transaction query index
table column primary key foreign constraint rollback connection timeout retry attempt backoff queue worker thread
process memory buffer stream channel socket network protocol client server proxy cache storage bucket object upload
download directory folder path filename extension encoding decoding serialize deserialize parse format validate
sanitize escape template component element container layout button dialog style theme color width height margin
padding border background display position absolute relative event click hover focus keyboard accessibility
performance latency throughput benchmark coverage snapshot fixture assertion expected received actual undefined null
boolean number string integer float array object record tuple enum union optional required default readonly private
public protected static virtual override abstract async await yield throw catch finally switch case break continue

JANUARY FEBRUARY 2024-01-01T00:00:00.000Z 2025-12-31T23:59:59Z 2026-0 https://github.com/ https://docs. http://localhost:3000/
http://127.0.0.1:8080/api/v1/ "Content-Type": "application/json" Authorization: Bearer [secret: ": true, ": false, ": null,
{"id":"","name":"","type":"","status":"","message":"","error":"","data":{"result":[{"value":"","key":"","url":"https://
\t"dependencies": {\n\t"devDependencies": {\n\t"scripts": {\n\t"build": "tsc", "test": "vitest run", "version": "0.1.0",
node_modules/ package.json package-lock.json tsconfig.json pnpm-lock.yaml yarn.lock Cargo.toml Cargo.lock go.mod go.sum
pyproject.toml requirements.txt setup.py Makefile Dockerfile docker-compose.yml .github/workflows/ .gitignore README.md
CHANGELOG.md CLAUDE.md AGENTS.md docs/ index.html styles.css main.py main.go main.rs lib.rs mod.rs __init__.py utils.py
config.yaml index.ts index.js index.tsx types.ts utils.ts app.tsx .test.ts .test.tsx .spec.ts _test.go test_ .json .yaml .sh .css
src/components/ src/lib/ src/utils/ src/server/ src/main/ src/app/ internal/ pkg/ cmd/ tests/ scripts/ packages/ apps/

Traceback (most recent call last):\n  File "/usr/lib/python3/dist-packages/ line in <module>\nModuleNotFoundError: No module named '
TypeError: Cannot read properties of undefined (reading 'ReferenceError: is not defined\n    at Object.<anonymous> (/
ValueError: KeyError: AttributeError: object has no attribute 'ImportError: cannot import name 'AssertionError: assert
Error: ENOENT: no such file or directory, open '/\nerror TS2345: Argument of type ' is not assignable to parameter of type '
error TS2339: Property ' does not exist on type '\nerror[E0308]: mismatched types\n  --> src/\nwarning: unused variable: \`
npm ERR! code ELIFECYCLE\ncommand not found: permission denied: No such file or directory\nfatal: not a git repository
Exit code 1\nExit code 2\nExit code 127\nFAILED tests/ PASSED [100%] ok  \t(cached)\n--- FAIL: Test (0.00s)\n--- PASS: Test (0.00s)\n=== RUN   Test
Tests: passed, failed, total Test Suites: Test Files  1 passed (1)\n ✓ ✗ × ❌ ✅ ⚠️ → — “ ” … running 1 test\ntest result: ok. 0 failed; 0 ignored;
String to replace not found in file.\nString: File has not been read yet. Read it first before writing to it.
The user doesn't want to proceed with this tool use. The tool use was rejected. Request interrupted by user Stopped at
On branch main\nYour branch is up to date with 'origin/main'.\nChanges not staged for commit:\n\tmodified:   nothing to commit, working tree clean
 files changed, 1 file changed, insertions(+), deletions(-)\n create mode 100644 diff --git a/ b/\nindex 0000000..\n--- a/\n+++ b/\n@@ -1,7 +1,7 @@\n
drwxr-xr-x  2 root root  4096 Jan  1 00:00 .\n-rw-r--r-- 1 staff  total 0\n

#!/usr/bin/env bash\nset -euo pipefail\nif [ -f "$1" ]; then echo "" ; fi\nfor f in *; do done
SELECT * FROM  WHERE id =  AND  ORDER BY  LIMIT  INSERT INTO  VALUES (?, ?) UPDATE  SET  DELETE FROM  CREATE TABLE IF NOT EXISTS  (id INTEGER PRIMARY KEY, TEXT NOT NULL
def __init__(self, ) -> None:\n        self. = \n    def (self):\n        """\n        return self.\n    if not :\n        raise ValueError(f"\nfrom typing import Optional, List, Dict, Any\nimport os\nimport sys\nimport json\nimport pytest\n@pytest.fixture\n    assert  == \n    with open(path) as f:\n    for  in range(len(\n    try:\n    except Exception as e:\n        print(f"\nif __name__ == "__main__":\n    main()\n
package main\n\nimport (\n\t"context"\n\t"fmt"\n\t"os"\n\t"testing"\n)\n\ntype  struct {\n\t string \`json:"\n}\n\nfunc ( *) (ctx context.Context, ) error {\n\tif err != nil {\n\t\treturn nil, fmt.Errorf("failed to : %w", err)\n\t}\n\treturn nil\n}\n\nfunc Test(t *testing.T) {\n\tt.Parallel()\n\tt.Run("", func(t *testing.T) {\n\t\tt.Errorf("got %v, want %v", \n\t\tt.Fatalf("unexpected error: %v", err)\n\tfor _, tt := range tests {\n\tdefer func() {\n\tfilepath.Join(\n\tos.WriteFile(
use std::collections::HashMap;\n#[derive(Debug, Clone)]\npub struct {\n    pub fn new() -> Self {\n        Self {\nimpl  for {\n    let mut  = Vec::new();\n    match  {\n        Some() => \n        None => \n        Ok(()) => \n        Err(e) => return Err(e.into()),\n#[test]\n    assert_eq!(.unwrap(), \n&str, String, Option<, Result<, .to_string(), .iter().map(|
<div className="\n  <span></span>\n</div>\n<button onClick={() => \nconst [, set] = useState(\n  useEffect(() => {\n  }, [])\nexport default function (\nimport React from 'react'\nimport type {  } from './\nimport {  } from '../\nimport { describe, expect, it, vi } from 'vitest'\n\ndescribe('', () => {\n  it('should ', async () => {\n    expect().toBe()\n    expect().toEqual()\n    expect(result).toHaveLength(1)\n
export interface  {\n  : string\n  : number\n  : boolean\nexport type  =  | null | undefined\nexport async function (): Promise<void> {\n  const  = await \n  const  = new \n  const {  } = \n  let  = 0\n  if (!) return\n  if ( === ) {\n  } else {\n  for (const  of ) {\n  try {\n  } catch (error) {\n    throw new Error(\`\${\n    console.log(\n    return .map((.filter(( => .length > 0\n  return {\n    ...\n  }\n})\n}\n
 function  return  const  = this. = null;\n        if ( =  = true;\n    }\n\n    // TODO: \n    /**\n     * @param \n     * @returns \n     */\n

I'll I've I'm I need to look at Let me check Let me look at Let me read the Let me see Let me run Let me update Let me verify Let me start by Let me fix Now I'll
Now let me Now I have a Now I understand Now let's Good, Great! Perfect! Excellent! Done. OK, so First, Second, Next, Then Finally, However, Also,
I can see that the issue is that The problem is that This means that It looks like It seems that The reason is We need to We should You can You're right
Here's what I Here is the Here's a summary of what was changed in the What changed: Why: Summary: ## Summary\n\n ## Plan\n\n ## Context\n\n### 1. **\n### 2. **\n### Changes\n\n**Files changed:**\n- \`\n**Verification:**\n\n| | |\n|---|---|\n
all tests pass. The tests are passing. the tests pass and lint is clean. the build succeeds. Run the tests Run the full test suite Run tests and Add a test for Add tests for Update the Remove the unused Rename Create a new file Implement Fix the bug in Refactor
make sure that as well as such as based on in order to instead of rather than at the same time so that it is not to be a the same as in the first when the user is already
please can you could you do you want me to would you like me to how do we what is the why does where is go ahead continue yes no thanks commit and push this to main open a PR for this the error is still there it does not work

# Check # Run # Show # Find # List # Search for # Build the # Verify # Commit # Install dependencies\n$ npm install\n$ npm test -- \n$ npm run build 2>&1 | tail -20\n$ npm run lint\n$ npx tsc --noEmit\n$ npx vitest run \n$ pnpm \n$ yarn \n$ node -e "\n$ python3 -c "\n$ python -m pytest \n$ cargo test \n$ cargo build 2>&1\n$ go test ./... -run Test\n$ go build ./...\n$ make \n$ docker compose up -d\n$ curl -s http://localhost:\n$ gh pr view  --json \n$ gh pr create --title "\n$ sed -n '1,80p' \n$ cat > \n$ cat \n$ mkdir -p \n$ rm -rf /tmp/\n$ ls -la \n$ find . -name "*.ts" -not -path "*/node_modules/*" | head -20\n$ rg -n "\n$ grep -rn "" --include="*.ts" src/ | head -30\n$ cd / && git status --short && git diff --stat\n$ git log --oneline -10\n$ git add -A && git commit -m "$(cat <<'EOF'\nfeat: fix: \n\nCo-Authored-By: Claude <noreply@anthropic.com>\nEOF\n)"\n$ git push origin \n$ git checkout -b \n$ git stash \n$ git show HEAD: 2>/dev/null || echo " && echo " 2>&1\n
- [ ] Investigate - [>] - [x] Write tests for - [x] Update - [x] Add - [x] Create - [ ] Run tests\n- [ ] Add \n- [ ] Update \n- [ ] 
Fetch https://Search WebSearch Glob **/*.ts Grep " in Grep  in src (ts)Agent Task: Explore Stopped at Edit Sent back the plan “Approved the plan “Plan: Skill apply_patch
Update /Write /home/user/Read /home/Read /Users/me/src/Edit /home/Edit /Users/me/projects/Edit /Users/\n-\t\n+\t\n-    \n+    \n-  \n+  \n-\t\t\n+\t\t\n+\n+\n-\n
`

/** The lists, oldest first. */
export const packingWords: readonly Buffer[] = [Buffer.from(first, 'utf8')]
