"""What a model server speaks besides the Responses API, so that programs written for another interface can be evaluated as they are.

A request in another dialect is said as a request of the Responses API, answered like any other, and the answer is said in the dialect
of the question. `chat` is chat completions, `messages` is the Anthropic shape, `replay` gives a whole answer as the stream of events that
a client asked for. What cannot be said in the Responses API is refused: a model that does not see part of its prompt would be measured on
something else.
"""

from blade.gym.servers.dialects.refusal import Refused

__all__ = ["Refused"]
