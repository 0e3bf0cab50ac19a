// Texts in the form that the kernels read: bytes of valid UTF-8 (or of UTF-8 with lone surrogates) that the caller keeps
// alive.
#pragma once

#include <string_view>
#include <vector>

namespace plainmark {

struct Texts {
  struct Piece {
    std::string_view bytes;
    bool ascii;  // ASCII text is not lowercased yet, even if lower case was asked for: tokenisers do it on the way
  };
  std::vector<Piece> pieces;
};

}  // namespace plainmark
