"""What all model servers share: the way to an endpoint, the two shapes of a request and an answer, and typed failures.

- `errors`: why a model gave no usable answer, by category;
- `upstream`: one client for an endpoint, with timeouts, bounded retries and a record of every try; `faults` judges a try;
- `chat_request`, `chat_answer`: the Responses API said in chat completions, and back; `chat`: both around an upstream;
- `shape`: a Response object with all its keys; `usage`: token counts and their sum over calls;
- `prompts`: which rollout and which recorded turn a request belongs to;
- `local_server`: the embedded model in a process of its own;
- `probe`: what a benchmark needs and an endpoint can do.
"""

from blade.gym.models.errors import Category, ModelError, Try

__all__ = ["Category", "ModelError", "Try"]
